// The screens of the site, as the build writes them from the table of the page's program.

import config from './config.js';

/** The screen of a path; the first of the table where there is none. */
export const at = (path) => config.screens.find((s) => (s.path !== '/' && path.startsWith(s.path)) ||
  (s.old && path.startsWith(s.old)) || (s.door && path.startsWith(s.door))) ?? config.screens[0];

/** The screen that an address opens: that which reads its fragment, otherwise that of its path. */
export const of = ({ pathname, hash }) => config.screens.find((s) => s.link && hash.startsWith(`#${s.link}`)) ??
  at(pathname);
