// drizzle-orm through its CommonJS build: as ES modules it loads six times slower and takes 210 MB more, because Node reads
// its package.json once for each of its modules. `#drizzle` in package.json leads here; the types are the package's own.
module.exports = require('drizzle-orm');
