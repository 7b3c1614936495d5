/** The demo's sign-ins, as the sign-in page and the first lines of `npm start` show them. */
export const demoPassword = 'masthead-demo'
export const demoPeople = [
  { email: 'owner@demo.test', about: 'Owns Acme Telemetry: has all permissions' },
  { email: 'operator@demo.test', about: 'A member of that team with some permissions and one tag' },
  { email: 'staff@demo.test', about: 'Staff: may enter the backoffice' },
  { email: 'invited@demo.test', about: 'Has an invitation waiting' },
  { email: 'empty@demo.test', about: 'A new account with nothing in it' },
]
