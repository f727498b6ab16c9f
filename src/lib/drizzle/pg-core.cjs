module.exports = require('drizzle-orm/pg-core');
