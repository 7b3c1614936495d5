import type { CallRows } from '../test-calls.ts'

export const calls: CallRows = {
  'billing.listCards': { access: 'billing.view' },
  'billing.startCardSetup': { access: 'billing.edit' },
  'billing.getCardSetup': { access: 'billing.edit', sample: ({ cards: { card_setup_id } }) => ({ params: { card_setup_id } }) },
  'billing.finishCardSetup': { access: 'billing.edit', sample: ({ cards: { card_setup_id } }) => ({ params: { card_setup_id } }) },
  'billing.makeCardDefault': { access: 'billing.edit', sample: ({ cards: { other_card_id } }) => ({ params: { card_id: other_card_id } }) },
  'billing.removeCard': {
    access: 'billing.edit',
    sample: ({ cards: { card_id, other_card_id } }) => ({ params: { card_id }, other: { card_id: other_card_id } }),
  },
  'billing.getBalance': { access: 'billing.view' },
  'billing.listTransactions': { access: 'billing.view' },
  'billing.exportTransactions': { access: 'billing.view' },
  'billing.getTransaction': { access: 'billing.view', sample: ({ money }) => ({ params: { transaction_id: money.credit_id } }) },
  'backoffice.getMoney': { access: 'manage_billing', sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }) },
  'backoffice.listCustomerTransactions': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }),
  },
  'backoffice.checkLedger': { access: 'manage_billing' },
  'backoffice.switchBillingOn': {
    access: 'manage_billing',
    sample: ({ colleague }) => {
      const body = { currency: 'EUR', reason: 'They signed' }
      return { params: { email: colleague.email }, body, other: { ...body, currency: 'USD' } }
    },
  },
  'backoffice.giveCredit': {
    access: 'manage_billing',
    sample: ({ backoffice }) => {
      const body = { amount_micros: 5_000_000, reason: 'An outage' }
      return { params: { email: backoffice.customer }, body, other: { ...body, amount_micros: 6_000_000 } }
    },
  },
  'backoffice.voidCredit': {
    access: 'manage_billing',
    sample: ({ backoffice, money }) => ({
      params: { email: backoffice.customer, any_transaction_id: money.given_id },
      body: { reason: 'Entered twice' },
      other: { reason: 'Entered again' },
    }),
  },
  'backoffice.refundCharge': {
    access: 'manage_billing',
    sample: ({ backoffice, money }) => {
      const body = { amount_micros: 100_000, reason: 'Charged twice' }
      return {
        params: { email: backoffice.customer, any_transaction_id: money.charge_id },
        body,
        other: { ...body, amount_micros: 200_000 },
      }
    },
  },
}
