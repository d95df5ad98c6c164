-- Compatible from: 34. A program of the release before runs on the record, too, if the changes since leave it what it needs.

-- The version of what is written into the record, and the newest change that a program has to know to run on these tables.
insert into meta (key, value) values ('cluster_version', 1), ('compatible_from', 34);
