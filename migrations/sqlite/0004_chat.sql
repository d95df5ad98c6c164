-- Old lines of chat are found without a look at the moves. A line that has been cleared is not in it any more.
-- (A body begins with its kind: store/codec.rs.)
create index events_chat on events (at)
    where body glob '{"t":"chat",*' and body not glob '*"text":""}';
