import * as z from 'zod/mini'
import { event } from '../../kernel/event.ts'

const view = z.object({ view_id: z.string(), view_name: z.string(), shared: z.boolean() })
const ofView = ['assets', 'notifications'] as const
export const viewSaved = event({
  name: 'assets.view_saved',
  refreshes: ofView,
  detail: view,
  sentence: ({ shared }) => `Saved the view {view_name}${shared ? ' for the team' : ''}`,
})
export const viewUpdated = event({ name: 'assets.view_updated', refreshes: ofView, detail: view, sentence: 'Changed the view {view_name}' })
export const viewShared = event({
  name: 'assets.view_shared',
  refreshes: ofView,
  detail: view,
  sentence: ({ shared }) => (shared ? 'Shared the view {view_name} with the team' : 'Took the view {view_name} back from the team'),
})
export const viewDeleted = event({ name: 'assets.view_deleted', refreshes: ofView, detail: view, sentence: 'Deleted the view {view_name}' })
