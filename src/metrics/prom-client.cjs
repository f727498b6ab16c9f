// @ts-nocheck: the package declares the types of its whole alone
// What we use of prom-client, file by file. As a whole it also loads what talks to a push gateway, to other processes and to
// OpenTelemetry: seven times the time, and 13 MB. `#prom-client` in package.json leads here; the types are the package's own.
exports.Counter = require('prom-client/lib/counter');
exports.Gauge = require('prom-client/lib/gauge');
exports.Histogram = require('prom-client/lib/histogram');
exports.Registry = require('prom-client/lib/registry');
exports.collectDefaultMetrics = (options) => require('prom-client/lib/defaultMetrics')(options);
