// Loaded into the measured gateway by `node --import`: tells the parent process how much processor time all threads
// have used. A message is handled after whatever the main thread is busy with, so the figure includes that.
process.on('message', () => setImmediate(() => process.send?.(process.cpuUsage())));
// Listening alone must not keep the gateway alive.
process.channel?.unref();
