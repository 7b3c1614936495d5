import { expect, test } from 'vitest'
import { assetRegistered, assetRenamed, simActivated, simDeactivated } from '../assets/events.ts'
import { cardSetupChanged } from '../billing/events.ts'
import { apiKeyCreated, apiKeyDeleted, apiKeyRotated } from '../developers/events.ts'
import { eventKinds } from '../events.ts'
import { sentenceOf } from '../kernel/event.ts'
import { eventCategories, moneyField } from '../event-reading.ts'
import { terminalEnded, terminalFailed } from '../terminal/events.ts'
import { tagAssigned, tagCreated, tagDeleted, tagUnassigned, tagUpdated } from '../tags/events.ts'
import { invitationAccepted, invitationRejected, memberInvited, memberRemoved, memberUpdated } from '../teams/events.ts'

const asset = { asset_id: 'ast_1', asset_name: 'truck' }
const sim = { ...asset, sim_id: 'sim_1', iccid: '89' }
const tag = { tag_id: 'tag_1', tag_name: 'north' }
const key = { api_key_id: 'key_1', api_key_name: 'ci' }
const scope = { scopes: [], tags: [], addresses: [], expires_at: null, calls_per_minute: 60 }
const terminal = { ...asset, terminal_id: 'trm_1' }
const granted = { permissions: [], tags: null }

// The sentences that are asked for, word for word.
test.each([
  [assetRegistered, { ...asset, serial: 's' }, 'Registered truck'],
  [assetRenamed, { ...asset, old_name: 'a', new_name: 'b' }, 'Renamed a to b'],
  [simActivated, sim, 'Activated the SIM of truck'],
  [simDeactivated, sim, 'Deactivated the SIM of truck'],
  [tagCreated, tag, 'Created tag north'],
  [tagUpdated, { ...tag, old_name: 'a', new_name: 'b' }, 'Renamed tag a to b'],
  [tagDeleted, tag, 'Deleted tag north'],
  [tagAssigned, { ...tag, ...asset }, 'Tagged truck with north'],
  [tagUnassigned, { ...tag, ...asset }, 'Removed tag north from truck'],
  [apiKeyCreated, { ...key, ...scope }, 'Created API key ci'],
  [apiKeyDeleted, key, 'Deleted API key ci'],
  [apiKeyRotated, { ...key, overlap_hours: 1 }, 'Rotated API key ci'],
  [memberInvited, { added_member: 'x@y.test', ...granted }, 'Invited x@y.test to the team'],
  [memberRemoved, { removed_member: 'x@y.test' }, 'Removed x@y.test from the team'],
  [memberUpdated, { updated_member: 'x@y.test', ...granted, old_permissions: [], old_tags: null }, 'Updated the permissions of x@y.test'],
  [invitationAccepted, { added_member: 'x@y.test', ...granted }, 'Joined the team'],
  [invitationRejected, { removed_member: 'x@y.test' }, 'Declined the invitation'],
  [cardSetupChanged, { setup_intent_status: 'succeeded', payment_method: null }, 'Card setup was completed'],
  [cardSetupChanged, { setup_intent_status: 'lost', payment_method: 'Visa 4242' }, 'Card setup of Visa 4242 has an unknown status'],
  [
    terminalEnded,
    { ...terminal, opened_by: 'a@b.test', lasted: '7 s', reason: 'ended' },
    'Ended the terminal of a@b.test on truck after 7 s',
  ],
  [
    terminalEnded,
    { ...terminal, opened_by: 'a@b.test', lasted: '7 s', reason: 'idle' },
    'The terminal of a@b.test on truck ended after 7 s: No key was pressed for 10 minutes',
  ],
  [terminalFailed, { ...terminal, reason: 'ended' }, 'Ended a terminal on truck before it was open'],
])('%o', (kind, detail, sentence) => expect(sentenceOf(kind as never, kind.name, detail)).toBe(sentence))

test('an event belongs to one area, and its name says what happened', () => {
  for (const name of eventKinds.keys()) expect(name).toMatch(/^[a-z_]+\.[a-z_]+$/)
})

test('the categories, each with a permission, are the areas that have events', () => {
  expect([...new Set([...eventKinds.keys()].map((name) => name.split('.')[0]))].sort()).toEqual([...eventCategories])
})

test('an amount of money in an event that is read without billing is in the one field that is for whoever reads billing', () => {
  const fields = [...eventKinds].flatMap(([name, { detail }]) =>
    name.startsWith('billing.') ? [] : Object.keys((detail as unknown as { shape: object }).shape).map((field) => ({ name, field }))
  )
  expect(fields.length).toBeGreaterThan(100)
  expect(fields.filter(({ field }) => /price|amount|cost|balance|micros|money/.test(field) && field !== moneyField)).toEqual([])
  expect(fields.filter(({ field }) => field === moneyField)).toEqual([
    { name: 'datapools.pool_bought', field: moneyField },
    { name: 'datapools.pool_bought_more', field: moneyField },
  ])
})

test('what has no wording of its own has the one of the specification', () => {
  expect(sentenceOf(eventKinds.get('weather.rained'), 'weather.rained', {})).toBe('Performed action weather.rained')
})
