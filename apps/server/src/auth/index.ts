export { authenticate } from './authenticate.ts'
export { checkPassword } from './check-password.ts'
export { demoPassword, demoPeople } from './demo-people.ts'
export { hashPassword } from './password.ts'
