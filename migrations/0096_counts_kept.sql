-- Servers from 0087 on work with it.
-- How much of a limit has been used survives a crash and a failover: where it did not, each of them let five more guesses at every
-- password through. The table is as small as what is limited now; it is written anew once, behind the lock that it needs.
alter table throttles.counter set logged;
