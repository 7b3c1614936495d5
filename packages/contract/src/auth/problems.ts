import { problem } from '../kernel/problem.ts'

export const credentialsWrong = problem({
  code: 'credentials_wrong',
  status: 400,
  title: 'E-mail or password is wrong',
})
export const emailTaken = problem({
  code: 'email_taken',
  status: 409,
  title: 'There is an account with this e-mail already',
})
export const notAMember = problem({
  code: 'not_a_member',
  status: 403,
  title: 'You are not a member of this team',
})
export const registrationOff = problem({
  code: 'registration_off',
  status: 403,
  title: 'Registration is switched off here. Ask whoever runs this installation for an account',
})
