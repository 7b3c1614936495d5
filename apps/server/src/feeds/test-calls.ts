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
  'backoffice.listFeedFiles': { access: 'manage_networks' },
  'backoffice.getFeedFile': { access: 'manage_networks', sample: ({ feed }) => ({ params: { feed_file_id: feed.file_id } }) },
  'backoffice.uploadFeedFile': {
    access: 'manage_networks',
    sample: ({ feed }) => ({
      params: { feed_id: feed.id },
      query: { name: 'cdr.csv' },
      body: `id,imsi,ended_at,bytes_up,bytes_down\ns${++made},262010000000001,2026-11-01T00:00:00Z,1,2\n`,
    }),
  },
  'backoffice.listFeedDifferences': { access: 'manage_networks', sample: ({ feed }) => ({ params: { feed_id: feed.id } }) },
  'backoffice.rotateFeedKey': {
    access: 'manage_networks',
    sample: ({ feed }) => ({ params: { feed_id: feed.id }, other: { feed_id: 'another' } }),
  },
}
