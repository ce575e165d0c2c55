-- owner: kernel
-- Each event is written into every index of the outbox: its order, which is its key, and the order of each topic are all
-- that is read. What is old is found at the beginning of the order.
drop index events_order;
drop index events_age;
alter table events drop constraint events_pkey;
alter table events add primary key (xid, position);
