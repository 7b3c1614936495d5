import { problem } from '../kernel/problem.ts'

export const billingOff = problem({ code: 'billing_off', status: 409, title: 'Billing is not switched on for this account' })
export const balanceTooLow = problem({ code: 'balance_too_low', status: 409, title: 'The balance does not cover this. Add credits first' })
export const billingOnAlready = problem({
  code: 'billing_on_already',
  status: 409,
  title: 'Billing is switched on for this account already',
})
export const notCorrectable = problem({ code: 'not_correctable', status: 409, title: 'This entry cannot be taken back' })
export const topUpOpen = problem({
  code: 'top_up_open',
  status: 409,
  title: 'A payment of this account is under way. Wait until it is done',
})
export const topUpOver = problem({ code: 'top_up_over', status: 409, title: 'This payment is over, or its bank does not ask anything' })
export const noCard = problem({ code: 'no_card', status: 409, title: 'No card is kept that could be charged. Add a card first' })
