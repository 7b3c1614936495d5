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
}
