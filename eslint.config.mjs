// ESLint's configuration: its recommended rules plus those that find mistakes. `go run ./build test` runs it; `npx
// eslint .` does the same.
import js from '@eslint/js';
import globals from 'globals';

export default [
  { ignores: ['**/node_modules/', 'dist/', '.cache/', 'bin/', '**/testdata/', 'site/collections/',
    'cmd/rankbox/site/'] },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { ecmaVersion: 2024, sourceType: 'module' },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      ...js.configs.recommended.rules,
      'array-callback-return': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-constructor-return': 'error',
      'no-empty': ['error', { allowEmptyCatch: true }],
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      'no-promise-executor-return': 'off', // `new Promise((go) => setTimeout(go, 50))` reads well
      'no-self-compare': 'error',
      'no-template-curly-in-string': 'error',
      'no-throw-literal': 'error',
      'no-unreachable-loop': 'error',
      'no-unused-vars': ['error', { args: 'after-used', argsIgnorePattern: '^_', varsIgnorePattern: '^_',
        caughtErrors: 'none', ignoreRestSiblings: true }],
      'no-var': 'error',
      'prefer-const': ['error', { destructuring: 'all' }],
    },
  },
  { files: ['site/js/**'], languageOptions: { globals: { ...globals.browser, Go: 'readonly' } } },
  { files: ['site/sw.js'], languageOptions: { globals: globals.serviceworker } },
  {
    files: ['wasm/edge/**'],
    languageOptions: { globals: { ...globals.worker, Go: 'readonly', FixedLengthStream: 'readonly' } },
  },
  // Tests and measurements run in Node.js and pass functions to the page.
  { files: ['site/e2e/**', 'build/**', 'scripts/**', 'wasm/**'],
    languageOptions: { globals: { ...globals.node, ...globals.browser, Go: 'readonly' } } },
];
