import type { CallRows } from '../test-calls.ts'

const rule = { name: 'Rule of samples', metric: 'usage_day', threshold: 1e9 }
const other = { ...rule, threshold: 2e9 }
const edit = 'notifications.edit'

export const calls: CallRows = {
  'notifications.listRules': { access: 'notifications.view' },
  'notifications.getRule': { access: 'notifications.view', sample: ({ rule_id }) => ({ params: { rule_id } }) },
  'notifications.createRule': { access: edit, sample: () => ({ body: rule, other }) },
  'notifications.updateRule': { access: edit, sample: ({ rule_id }) => ({ params: { rule_id }, body: rule, other }) },
  'notifications.enableRule': { access: edit, sample: ({ rule_id }) => ({ params: { rule_id } }) },
  'notifications.disableRule': { access: edit, sample: ({ rule_id }) => ({ params: { rule_id } }) },
  'notifications.silenceRule': {
    access: edit,
    sample: ({ rule_id }) => ({
      params: { rule_id },
      body: { until: '2098-01-01T00:00:00.000Z' },
      other: { until: '2099-01-01T00:00:00.000Z' },
    }),
  },
  'notifications.deleteRule': { access: edit, sample: ({ rule_id }) => ({ params: { rule_id }, other: { rule_id: 'another' } }) },
  'notifications.previewRule': { access: edit, sample: () => ({ body: rule, other }) },
  'notifications.listFirings': { access: 'notifications.view', sample: ({ rule_id }) => ({ params: { rule_id } }) },
  'notifications.undoFiring': { access: edit, sample: ({ rule_id, firing_id }) => ({ params: { rule_id, firing_id } }) },
}
