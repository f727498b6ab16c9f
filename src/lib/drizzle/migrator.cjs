module.exports = require('drizzle-orm/node-postgres/migrator');
