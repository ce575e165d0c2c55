import { Moon, Sun } from 'lucide-react';
import { useEffect, useState } from 'react';
import { i18n } from '../../i18n/i18n.ts';

type Theme = 'light' | 'dark';
const KEY = 'asterism.theme';

function chosenTheme(): Theme | undefined {
  try {
    const text = localStorage.getItem(KEY);
    return text === 'light' || text === 'dark' ? text : undefined;
  } catch {
    return undefined;
  }
}

const darkQuery = matchMedia('(prefers-color-scheme: dark)');

function presentTheme(): Theme {
  return chosenTheme() ?? (darkQuery.matches ? 'dark' : 'light');
}

/** Applies the theme before the first paint, and follows the system until the user chooses one. */
export function applyTheme(): void {
  showTheme();
  darkQuery.addEventListener('change', showTheme);
}

function showTheme(): void {
  document.documentElement.dataset['theme'] = presentTheme();
}

/** The switch between light and dark; the choice is stored on this device. */
export function ThemeSwitch({ className = '' }: { className?: string }) {
  const [theme, setTheme] = useState(presentTheme);
  useEffect(() => {
    const follow = () => setTheme(presentTheme());
    darkQuery.addEventListener('change', follow);
    return () => darkQuery.removeEventListener('change', follow);
  }, []);
  const next: Theme = theme === 'dark' ? 'light' : 'dark';
  const change = () => {
    try {
      localStorage.setItem(KEY, next);
    } catch {
      // Without storage the choice holds until the page is closed.
    }
    document.documentElement.dataset['theme'] = next;
    setTheme(next);
  };
  return (
    <button type="button" className={`icon-button ${className}`} onClick={change}>
      {theme === 'dark' ? <Sun aria-hidden="true" /> : <Moon aria-hidden="true" />}
      <span className="visually-hidden">
        {i18n.t('{theme, select, dark {Use dark colours} other {Use light colours}}', { theme: next })}
      </span>
    </button>
  );
}
