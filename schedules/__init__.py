"""When work starts by itself; read entry → table → due → tick → dispatcher → up."""
