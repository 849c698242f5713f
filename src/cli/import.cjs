'use strict';
/* Bundled code is run as a script, in which there is no import(): this file is loaded as it stands. */
module.exports = (url) => import(url);
