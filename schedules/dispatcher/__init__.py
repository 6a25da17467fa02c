"""The dispatcher: sends what is due, frees what was lost, fires the schedule."""
