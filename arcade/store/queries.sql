-- The statements of the store, by name.

-- win_loss_counts
SELECT game, person, result, count(*) FROM matches
WHERE person IN (0, 1) AND result IN ('win', 'loss', 'tie') AND counts = 1 GROUP BY game, person, result;

-- finished
-- All finished matches of one human that count, the oldest first, without damaged ones.
SELECT game, size, opponent, person, result, unaided, points, best FROM matches
WHERE counts = 1 AND result IN ('win', 'loss', 'tie') AND unaided IN (0, 1) AND typeof(size) = 'text'
AND (person IN (0, 1) AND typeof(opponent) = 'text' OR person IS NULL AND seats = 'human')
AND typeof(points) IN ('integer', 'null') AND typeof(best) IN ('integer', 'null') ORDER BY received;

-- has_finished
SELECT 1 FROM matches WHERE id = ? AND revision = ? AND result IS NOT NULL;

-- has
SELECT record FROM matches WHERE digest = ? AND (? IS NULL OR updated BETWEEN ? AND ?) OR origin = ?;

-- level_data
SELECT chances, updated FROM matches INDEXED BY matches_unaided
WHERE game = ? AND unaided = 1 AND counts = 1 AND result IS NOT NULL AND person IS NOT NULL
ORDER BY received DESC LIMIT ?;

-- unjudged
SELECT id FROM (
    SELECT id, chances FROM matches INDEXED BY matches_unaided
    WHERE game = ? AND unaided = 1 AND counts = 1 AND result IS NOT NULL AND person IS NOT NULL
    ORDER BY received DESC LIMIT ?
) WHERE chances IS NULL;

-- beaten
SELECT DISTINCT size, opponent FROM matches INDEXED BY matches_unaided
WHERE game = ? AND unaided = 1 AND counts = 1 AND result IS NOT NULL AND person IS NOT NULL
AND (result = CASE WHEN person = 0 THEN 'win' ELSE 'loss' END OR result = 'tie' AND opponent = ?);

-- unscored
SELECT id FROM matches WHERE game = ? AND points IS NULL AND result IS NOT NULL
AND (seats = 'human' OR person IS NOT NULL);

-- next_id
-- An id that no deleted match has had, or NULL if SQLite's own choice will do.
(SELECT CASE WHEN trashed >= kept THEN trashed + 1 END FROM
    (SELECT coalesce(max(id), 0) AS kept FROM matches),
    (SELECT coalesce(max(id), 0) AS trashed FROM trash));

-- next_received
-- Larger than all numbers, even those of deleted matches. Damaged values are no numbers and sort last.
(SELECT 1 + max(
    (SELECT coalesce(max(received), 0) FROM matches WHERE received < 1 << 53),
    (SELECT coalesce(max(received), 0) FROM trash WHERE received < 1 << 53)));

-- saved
-- The caller appends a WHERE clause.
SELECT id, revision, game, CASE WHEN length(record) <= ? THEN record END, result, updated FROM matches;

-- known_best
SELECT max(points), max(best) FROM matches WHERE start = ? AND points IS NOT NULL;

-- keep_best
UPDATE matches SET best = ? WHERE start = ? AND points IS NOT NULL;

-- keep_machine
INSERT INTO machines VALUES (?, ?, ?)
ON CONFLICT (name) DO UPDATE SET machine = excluded.machine, updated = excluded.updated;

-- tournaments
SELECT tournament, count(*) FROM bouts GROUP BY tournament ORDER BY max(rowid) DESC;
