-- The chains of groups begin anew with group schema 68: what anchors said of them counts no more.
DROP TRIGGER chain_anchors_bd;
DELETE FROM chain_anchors;
CREATE TRIGGER chain_anchors_bd BEFORE DELETE ON chain_anchors BEGIN
  SELECT RAISE(ABORT, 'anchors only grow');
END;
