import base from './playwright.config.ts'
export default { ...base, globalSetup: undefined, globalTeardown: undefined, reporter: 'line', workers: 1, retries: 0, projects: [{ name: 'console', use: { baseURL: 'http://127.0.0.1:18431' } }] }
