import type { CallRows } from '../test-calls.ts'

let made = 0
const name = () => `Feed of samples ${++made}`

export const calls: CallRows = {
  'usage.addFeedRecords': {
    access: 'public',
    // Rows that are refused by their index: what is counted stays counted, whatever becomes of the transaction around it.
    sample: () => ({ body: { records: [{ id: 'r1' }] }, other: { records: [{ id: 'r2' }] } }),
  },
  'assets.addConnectionEvents': {
    access: 'public',
    sample: () => ({ body: { events: [{ id: 'e1' }] }, other: { events: [{ id: 'e2' }] } }),
  },
  'backoffice.listFeeds': { access: 'manage_networks' },
  'backoffice.addFeed': { access: 'manage_networks', sample: () => ({ body: { name: name() }, other: { name: name() } }) },
  'backoffice.updateFeed': {
    access: 'manage_networks',
    sample: ({ feed }) => ({ params: { feed_id: feed.id }, body: { name: name() }, other: { name: name() } }),
  },
  'backoffice.rotateFeedKey': {
    access: 'manage_networks',
    sample: ({ feed }) => ({ params: { feed_id: feed.id }, other: { feed_id: 'another' } }),
  },
}
