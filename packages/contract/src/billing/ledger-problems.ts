import { problem } from '../kernel/problem.ts'

export const billingOff = problem({ code: 'billing_off', status: 409, title: 'Billing is not switched on for this account' })
export const balanceTooLow = problem({ code: 'balance_too_low', status: 409, title: 'The balance does not cover this. Add credits first' })
