import type { CallRows } from '../test-calls.ts'

const advisory = JSON.stringify({
  id: 'OSV-1',
  affected: [
    { package: { ecosystem: 'npm', name: 'lodash' }, ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '4.17.21' }] }] },
  ],
})
export const calls: CallRows = {
  'backoffice.getAdvisories': { access: 'backoffice' },
  'backoffice.loadAdvisories': {
    access: 'backoffice',
    sample: () => ({ query: { name: 'all.jsonl' }, body: advisory, other: `${advisory}\n${advisory}` }),
  },
}
