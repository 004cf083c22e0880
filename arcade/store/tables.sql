-- The changes of each version to the tables.

-- version 1
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    revision INTEGER NOT NULL,
    game TEXT NOT NULL,
    record TEXT NOT NULL,
    result TEXT,
    updated REAL NOT NULL
);
CREATE INDEX matches_by_time ON matches (updated);
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE machines (name TEXT PRIMARY KEY, machine TEXT NOT NULL, updated REAL NOT NULL);

-- version 2
-- Columns to count results without reading records, and a table for the app's own state.
ALTER TABLE matches ADD COLUMN person INTEGER;
CREATE INDEX matches_by_result ON matches (game, person, result);
CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL);
INSERT INTO state SELECT name, value FROM settings WHERE name IN ('in_play', 'warmed', 'played');
DELETE FROM settings WHERE name IN ('in_play', 'warmed', 'played');

-- version 3
-- To list matches and add up records without reading them: first what the record says, see `FACTS`, then
-- what a solver finds out later, see `Store.save_level_data` and `Store.save_best_score`. The index holds all that a
-- list shows, so that the long records are not touched.
ALTER TABLE matches ADD COLUMN start TEXT;
ALTER TABLE matches ADD COLUMN size TEXT;
ALTER TABLE matches ADD COLUMN seats TEXT;
ALTER TABLE matches ADD COLUMN opponent TEXT;
ALTER TABLE matches ADD COLUMN plies INTEGER;
ALTER TABLE matches ADD COLUMN unaided INTEGER;
ALTER TABLE matches ADD COLUMN points INTEGER;
ALTER TABLE matches ADD COLUMN best INTEGER;
ALTER TABLE matches ADD COLUMN sees INTEGER;
ALTER TABLE matches ADD COLUMN sees_low INTEGER;
ALTER TABLE matches ADD COLUMN sees_high INTEGER;
ALTER TABLE matches ADD COLUMN chances TEXT;
DROP INDEX matches_by_time;
CREATE INDEX matches_listed ON matches (
    updated, game, size, seats, opponent, person, result, plies, unaided, points, best,
    sees, sees_low, sees_high
);
CREATE INDEX matches_by_start ON matches (start) WHERE points IS NOT NULL;
CREATE INDEX matches_unaided ON matches (game, updated) WHERE unaided = 1 AND result IS NOT NULL;
CREATE TABLE trash (
    id INTEGER PRIMARY KEY, revision, game, record, result, updated, person, start, size, seats, opponent,
    plies, unaided, points, best, sees, sees_low, sees_high, chances, deleted REAL NOT NULL
);
CREATE TABLE puzzles (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    puzzle TEXT NOT NULL,
    mode TEXT NOT NULL,
    day TEXT,
    grade INTEGER NOT NULL,
    solved INTEGER NOT NULL,
    seconds REAL NOT NULL,
    updated REAL NOT NULL
);
CREATE INDEX puzzles_by_mode ON puzzles (mode, game, day);
CREATE TABLE bouts (
    tournament TEXT NOT NULL,
    number INTEGER NOT NULL,
    record TEXT NOT NULL,
    result TEXT,
    updated REAL NOT NULL,
    PRIMARY KEY (tournament, number)
);

-- version 4
-- Whether a match counts in a person's records: it began at its board's own first position, and no seat
-- changed its player.
ALTER TABLE matches ADD COLUMN counts INTEGER;
ALTER TABLE trash ADD COLUMN counts;
-- To order matches by when this file received them, and deletions one after the other, whatever the clock
-- said, and to recognise an imported match, also one that was continued since (see `Store.has`).
ALTER TABLE matches ADD COLUMN received INTEGER;
ALTER TABLE matches ADD COLUMN digest TEXT;
ALTER TABLE matches ADD COLUMN origin TEXT;
ALTER TABLE trash ADD COLUMN received;
ALTER TABLE trash ADD COLUMN digest;
ALTER TABLE trash ADD COLUMN origin;
ALTER TABLE trash ADD COLUMN deletion INTEGER;
UPDATE matches SET received = id;
UPDATE trash SET received = id, deletion = CAST(1000 * deleted AS INTEGER);
-- The indexes hold what is asked for, so that the long records are not touched.
DROP INDEX matches_by_result;
CREATE INDEX matches_by_result ON matches (game, person, result, counts);
DROP INDEX matches_listed;
CREATE INDEX matches_listed ON matches (
    received, updated, game, size, seats, opponent, person, result, plies, unaided, points, best, counts
);
DROP INDEX matches_unaided;
CREATE INDEX matches_unaided ON matches (game, received)
WHERE unaided = 1 AND counts = 1 AND result IS NOT NULL;
CREATE INDEX matches_by_digest ON matches (digest);
CREATE INDEX matches_by_origin ON matches (origin) WHERE origin IS NOT NULL;
CREATE INDEX trash_by_received ON trash (received);
