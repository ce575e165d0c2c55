-- owner: kernel
-- Each event is written into every index of the outbox, so only the two that are read remain: the order, which becomes
-- the primary key, and the order per topic. Old events are at the beginning of the order.
drop index events_order;
drop index events_age;
alter table events drop constraint events_pkey;
alter table events add primary key (xid, position);
