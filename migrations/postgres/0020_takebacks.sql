-- Games have two new kinds of events from here on, requests to take moves back and what is taken back, which an older program can't read:
-- it refuses the record, in place of taking such games for damaged. No table changes.
update meta set value = value where key = 'openings';
