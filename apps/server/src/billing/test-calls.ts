import type { CallRows } from '../test-calls.ts'

let made = 0
const price_list = () => ({ name: `Price list of samples ${++made}`, currency: 'USD' })
const terms = {
  block_bytes: 1000,
  rounding_scope: 'session',
  kb: 1000,
  zones: [{ id: 'A', name: 'Everywhere', networks: ['*'], price_micros: 10_000 }],
  fees: { active_monthly: [{ from: 1, price_micros: 1_600_000 }] },
}
const version = (effective_from: string) => ({ ...terms, effective_from })

const coupon = () => ({
  code: `SAMPLE-${++made}`,
  kind: 'amount',
  currency: 'USD',
  amount_micros: 5_000_000,
  percent: null,
  credit_days: null,
  expires_at: null,
  most_uses: null,
})

export const calls: CallRows = {
  'billing.listCouponUses': { access: 'billing.view' },
  'billing.redeemCoupon': {
    access: 'billing.edit',
    sample: ({ money }) => ({ body: { code: money.coupon_code }, other: { code: 'ANOTHER' } }),
  },
  'backoffice.listCoupons': { access: 'manage_billing' },
  'backoffice.createCoupon': {
    access: 'manage_billing',
    sample: () => {
      const body = coupon()
      return { body, other: { ...body, ...coupon() } }
    },
  },
  'backoffice.endCoupon': {
    access: 'manage_billing',
    sample: ({ money }) => ({ params: { coupon_id: money.coupon_id }, other: { coupon_id: 'another' } }),
  },
  'backoffice.listUsesOfCoupon': { access: 'manage_billing', sample: ({ money }) => ({ params: { coupon_id: money.coupon_id } }) },
  'backoffice.listTariffs': { access: 'manage_billing' },
  'backoffice.getTariff': { access: 'manage_billing', sample: ({ prices: { tariff_id } }) => ({ params: { tariff_id } }) },
  'backoffice.getTariffEffect': {
    access: 'manage_billing',
    sample: ({ prices: { planned_id, number } }) => ({ params: { tariff_id: planned_id }, query: { number: String(number) } }),
  },
  'backoffice.createTariff': {
    access: 'manage_billing',
    sample: () => {
      const body = { ...price_list(), version: version('2099-01-01') }
      return { body, other: { ...body, ...price_list() } }
    },
  },
  'backoffice.addTariffVersion': {
    access: 'manage_billing',
    sample: ({ prices: { tariff_id } }) => ({ params: { tariff_id }, body: version('2099-01-01'), other: version('2099-02-01') }),
  },
  'backoffice.previewTariffVersion': {
    access: 'manage_billing',
    sample: ({ prices: { tariff_id } }) => ({ params: { tariff_id }, body: version('2099-01-01'), other: version('2099-02-01') }),
  },
  'backoffice.withdrawTariffVersion': {
    access: 'manage_billing',
    sample: ({ prices: { planned_id, number } }) => ({ params: { tariff_id: planned_id }, body: { number }, other: { number: 1 } }),
  },
  'backoffice.listAssignments': { access: 'manage_billing', sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }) },
  'backoffice.assignTariff': {
    access: 'manage_billing',
    sample: ({ backoffice, prices: { tariff_id } }) => {
      const body = { tariff_id, from_day: '2099-01-01', reason: 'A price list of samples' }
      return { params: { email: backoffice.customer }, body, other: { ...body, from_day: '2099-02-01' } }
    },
  },
  'billing.getCostSummary': { access: 'usage.view' },
  'billing.listCostShares': { access: 'usage.view' },
  'billing.getPackageCosts': { access: 'usage.view' },
  'billing.getPriceList': { access: 'billing.view' },
  'billing.listPrices': { access: 'billing.view' },
  'billing.exportPrices': { access: 'billing.view' },
  'billing.getPlan': { access: 'signed_in' },
  'billing.listPlanPrices': { access: 'signed_in' },
  'billing.exportPlanPrices': { access: 'signed_in' },
  'billing.listCards': { access: 'billing.view' },
  'billing.startCardSetup': { access: 'billing.edit' },
  'billing.startHostedCardSetup': { access: 'billing.edit' },
  'billing.getCardSetup': { access: 'billing.edit', sample: ({ cards: { card_setup_id } }) => ({ params: { card_setup_id } }) },
  'billing.finishCardSetup': { access: 'billing.edit', sample: ({ cards: { card_setup_id } }) => ({ params: { card_setup_id } }) },
  'billing.makeCardDefault': { access: 'billing.edit', sample: ({ cards: { other_card_id } }) => ({ params: { card_id: other_card_id } }) },
  'billing.removeCard': {
    access: 'billing.edit',
    sample: ({ cards: { card_id, other_card_id } }) => ({ params: { card_id }, other: { card_id: other_card_id } }),
  },
  'billing.getBalance': { access: 'billing.view' },
  'billing.getBalanceHistory': { access: 'billing.view' },
  'billing.listTransactions': { access: 'billing.view' },
  'billing.exportTransactions': { access: 'billing.view' },
  'billing.getTransaction': { access: 'billing.view', sample: ({ money }) => ({ params: { transaction_id: money.credit_id } }) },
  'billing.getTransactionUsage': {
    access: 'billing.view',
    sample: ({ money }) => ({ params: { transaction_id: money.usage_id } }),
  },
  'billing.listPendingCharges': { access: 'billing.view' },
  'billing.getPendingCharge': { access: 'billing.view', sample: ({ money: { pending_id } }) => ({ params: { pending_id } }) },
  'backoffice.getMoney': { access: 'manage_billing', sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }) },
  'backoffice.listCustomerTransactions': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }),
  },
  'backoffice.getCustomerTransactionUsage': {
    access: 'manage_billing',
    sample: ({ backoffice, money }) => ({ params: { email: backoffice.customer, any_transaction_id: money.customer_usage_id } }),
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
  'billing.getBalanceRules': { access: 'billing.view' },
  'billing.setBalanceWarnings': {
    access: 'billing.edit',
    sample: () => ({
      body: { warn_micros: 300_000_000, urgent_micros: 100_000_000 },
      other: { warn_micros: 400_000_000, urgent_micros: null },
    }),
  },
  'billing.setCostLimits': {
    access: 'billing.edit',
    sample: () => {
      const body = { most_price_micros: 1_000_000, price_action: 'refuse', sim_day_micros: 5_000_000 }
      return { body, other: { ...body, price_action: 'warn' } }
    },
  },
  'billing.retryRefill': { access: 'billing.edit' },
  'billing.setRefill': {
    access: 'billing.edit',
    sample: () => {
      const body = { is_on: true, mode: 'fixed', below_micros: 50_000_000, amount_micros: 100_000_000, month_limit_micros: 500_000_000 }
      return { body, other: { ...body, amount_micros: 200_000_000 } }
    },
  },
  'backoffice.setAtZero': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({
      params: { email: backoffice.customer },
      body: { at_zero: 'go_on', reason: 'They pay by invoice' },
      other: { at_zero: 'stop', reason: 'They do not' },
    }),
  },
  'backoffice.setTax': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({
      params: { email: backoffice.customer },
      body: { tax: { name: 'VAT', basis_points: 2500 }, reason: 'In Sweden' },
      other: { tax: null, reason: 'Moved away' },
    }),
  },
  'backoffice.payBack': {
    access: 'manage_billing',
    sample: ({ backoffice, money }) => {
      const body = { amount_micros: 10_000, reason: 'Bought twice' }
      return {
        params: { email: backoffice.customer, any_transaction_id: money.bought_id },
        body,
        other: { ...body, amount_micros: 20_000 },
      }
    },
  },
  'billing.getBillingProfile': { access: 'billing.view' },
  'billing.setBillingProfile': {
    access: 'billing.edit',
    sample: () => {
      const body = {
        company: 'Acme Telemetry AB',
        address: 'Hamngatan 4',
        postal_code: '211 22',
        city: 'Malmö',
        country: 'SE',
        tax_id: 'SE556677889901',
        emails: ['accounting@acme.example'],
      }
      return { body, other: { ...body, company: 'Acme Telemetry Holding AB' } }
    },
  },
  'billing.listDocuments': { access: 'billing.view' },
  'billing.exportDocument': { access: 'billing.view', sample: ({ money }) => ({ params: { document_id: money.document_id } }) },
  'backoffice.listPayments': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({ query: { email: backoffice.customer } }),
  },
  'backoffice.listCustomerDocuments': {
    access: 'manage_billing',
    sample: ({ backoffice }) => ({ params: { email: backoffice.customer } }),
  },
  'backoffice.exportCustomerDocument': {
    access: 'manage_billing',
    sample: ({ backoffice, money }) => ({ params: { email: backoffice.customer, any_document_id: money.customer_document_id } }),
  },
  'billing.listTopUps': { access: 'billing.view' },
  'billing.createTopUp': {
    access: 'billing.edit',
    sample: ({ cards: { card_id } }) => ({ body: { amount_micros: 20_000_000, card_id }, other: { amount_micros: 30_000_000, card_id } }),
  },
  'billing.getTopUp': { access: 'billing.edit', sample: ({ money }) => ({ params: { top_up_id: money.top_up_id } }) },
  'billing.finishTopUp': { access: 'billing.edit', sample: ({ money }) => ({ params: { top_up_id: money.top_up_id } }) },
  'billing.cancelTopUp': { access: 'billing.edit', sample: ({ money }) => ({ params: { top_up_id: money.given_up_id } }) },
}
