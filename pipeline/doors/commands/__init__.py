"""The commands of `afterword`: a file or a folder per command group, each on top of `doors/cli`.

A folder has `app` (the group, which its area declares) and a file per command or story.
"""
