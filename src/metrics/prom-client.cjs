// @ts-nocheck: the package declares the types of its whole alone
// What we use of prom-client, file by file. As a whole it also loads what talks to a push gateway, to other processes and to
// OpenTelemetry: seven times the time, and 13 MB. `#prom-client` in package.json leads here; the types are the package's own.
// Its default metrics are here without those of the event loop, which we measure by other names, and what nobody asks for.
exports.Counter = require('prom-client/lib/counter');
exports.Gauge = require('prom-client/lib/gauge');
exports.Registry = require('prom-client/lib/registry');
const defaults = [
  'processStartTime',
  'osMemoryHeap',
  'processOpenFileDescriptors',
  'processMaxFileDescriptors',
  'heapSizeAndUsed',
  'gc',
];
// Its own of this asks OpenTelemetry for the trace that a scrape is a part of.
const cpuTime = (register) =>
  new exports.Counter({
    name: 'process_cpu_seconds_total',
    help: 'Total user and system CPU time spent in seconds.',
    registers: [register],
    collect() {
      const { user, system } = process.cpuUsage();
      this.reset();
      this.inc((user + system) / 1e6);
    },
  });
exports.collectDefaultMetrics = ({ register }) => {
  cpuTime(register);
  for (const name of defaults) require(`prom-client/lib/metrics/${name}`)(register);
};
