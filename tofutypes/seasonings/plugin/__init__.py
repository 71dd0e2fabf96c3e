"""The plugin's side: functions, hooks, storage and resources in Python."""
