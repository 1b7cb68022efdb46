// Arrow keys in the menus of the frame. The browser opens and closes them, by Escape too, and gives the focus back.

const items = (menu) => [...menu.querySelectorAll('a[href], button:not(:disabled)')].filter((e) => e.checkVisibility());

addEventListener('keydown', (event) => {
  const opener = event.target.closest?.('[popovertarget]');
  const menu = event.target.closest?.('.menu') ??
    (opener && document.getElementById(opener.getAttribute('popovertarget')));
  const open = document.querySelector('.menu:popover-open');
  if (event.key === 'Escape' && open) return event.stopPropagation(); // it closes the menu and nothing behind it
  if (!menu || !['ArrowDown', 'ArrowUp', 'Home', 'End'].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!menu.matches(':popover-open')) opener.click();
  const list = items(menu);
  const at = list.indexOf(document.activeElement);
  const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? -1 : at - 1, Home: 0, End: -1 }[event.key];
  list.at(to % list.length)?.focus();
}, true);

addEventListener('click', ({ target }) => target.closest?.('.menu a, .menu button')?.closest('.menu').hidePopover());
