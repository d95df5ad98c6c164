-- The position that a game begins with, if it is not the usual one.
alter table games add column start text;
