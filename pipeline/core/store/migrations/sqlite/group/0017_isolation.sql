-- How many rows one message that carries this job may hold; NULL is the limit of its kind. 1 is what
-- `solo` was. Jobs whose worker died run in batches of about the square root of their number.
DROP INDEX jobs_ready;
ALTER TABLE jobs ADD COLUMN batch_limit INTEGER CHECK (batch_limit >= 1);
UPDATE jobs SET batch_limit = 1 WHERE solo = 1;
ALTER TABLE jobs DROP COLUMN solo;
-- Jobs suspected of having killed their worker wait beside the others of their kind: neither may
-- slow the search for the other.
CREATE INDEX jobs_ready ON jobs (kind, (crashes > 0), priority, id) WHERE state = 'ready';
