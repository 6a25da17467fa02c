-- json_valid(NULL) is NULL, which a CHECK lets pass, only in newer releases of SQLite; in 3.40 it is
-- 0, and `PRAGMA integrity_check` calls every row without a value broken. The text of the CHECK is
-- changed in place, as SQLite describes it where no stored row changes: it takes no time on a large
-- table. Source: https://www.sqlite.org/lang_altertable.html#otheralter.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema
SET sql = replace(sql, 'CHECK (json_valid(liquidation))',
  'CHECK (liquidation IS NULL OR json_valid(liquidation))')
WHERE type = 'table' AND name = 'perps_fills';
UPDATE sqlite_schema
SET sql = replace(sql, 'CHECK (json_valid(book))', 'CHECK (book IS NULL OR json_valid(book))')
WHERE type = 'table' AND name = 'trade_verdicts';
UPDATE sqlite_schema
SET sql = replace(sql, 'CHECK (json_valid(measured))',
  'CHECK (measured IS NULL OR json_valid(measured))')
WHERE type = 'table' AND name = 'role_memory';
-- Another connection reads the changed text only once the schema has a new number.
CREATE TABLE renewed (x);
DROP TABLE renewed;
PRAGMA writable_schema = RESET;
