-- What a search asks of all rows at once is answered by an index alone, without their texts.

-- Rows known after a moment, for a read as of it; and, small as it is, all ids there are.
CREATE INDEX memories_known ON memories (known_at);
-- When it happened, or became known where nobody said when: a date in a question.
CREATE INDEX memories_when ON memories (coalesce(occurred_at, known_at));
-- Rows that ask something: what follows in their session answers it.
CREATE INDEX memories_questions ON memories (id)
  WHERE instr(content, '?') > 0 OR instr(content, '？') > 0;
-- Rows that are documents rather than memories: they hold many words by their length alone.
CREATE INDEX memories_long ON memories (length(content)) WHERE length(content) > 2000;
