import fc from 'fast-check'
import type { By } from './test-slow-gateways.ts'

export const fastest = 2.5e8
export const cards = 3

const rarely = <T, U>(usual: T, weight: number, other: fc.Arbitrary<U>): fc.Arbitrary<T | U> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: other })
const meter = fc.nat(1)
const card = fc.nat(cards - 1)
/** Both gateways call themselves and their sessions alike; each has another name as well. */
const place = { gateway: fc.nat(1), nas: rarely(0, 5, fc.constant(1)) }
const later = fc.oneof({ weight: 3, arbitrary: fc.nat(60_000) }, { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 200_000 }) })
const ago = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.nat(400_000) },
  { weight: 1, arbitrary: fc.constant('before' as const) }
)
const counter = rarely(0, 1, fc.nat(200))
const packet = fc.record({
  do: fc.constant('packet' as const),
  ...place,
  meter,
  /** It comes in one batch with the one after it. */
  joins: rarely(false, 2, fc.constant(true)),
  id: fc.nat(1),
  another: rarely(null, 2, card),
  by: rarely<By, By>('imsi', 3, fc.constantFrom<By>('number', 'name', 'unknown imsi', 'unknown number', 'nothing')),
  kind: fc.constantFrom('start' as const, 'interim' as const, 'interim' as const, 'interim' as const, 'stop' as const),
  time: fc.integer({ min: 0, max: 6 }).map((n) => n * 60),
  /** From what was said last under its key: that session lasts, and its counters rise. */
  goesOn: fc.boolean(),
  up: rarely(0, 1, fc.oneof({ weight: 8, arbitrary: fc.nat(200) }, { weight: 1, arbitrary: fc.constantFrom(2 ** 45, 2 ** 45 + 9) })),
  down: counter,
  wide: fc.boolean(),
  later,
  ago,
})
const does = <Name extends string, Model extends object>(name: Name, model: { [Key in keyof Model]: fc.Arbitrary<Model[Key]> }) =>
  fc.record({ do: fc.constant(name), ...model }) as unknown as fc.Arbitrary<{ do: Name } & Model>

const restart = does('restart', {
  ...place,
  meter,
  kind: fc.constantFrom('on' as const, 'off' as const),
  later,
  ago: rarely(0, 2, fc.nat(200_000)),
})
const service = does('service', { card })
const confirm = does('confirm', { later })
const record = does('record', {
  feed: fc.nat(1),
  card,
  ago: fc.nat(400_000),
  seconds: fc.nat(900),
  bytes: fc.nat(500),
  again: rarely(false, 4, fc.constant(true)),
  /** Gateways said nothing for days, so that the feed counts from now on. */
  afterSilence: rarely(false, 2, fc.constant(true)),
})
const step = fc.oneof(
  { weight: 28, arbitrary: packet },
  { weight: 4, arbitrary: restart },
  { weight: 3, arbitrary: service },
  { weight: 4, arbitrary: confirm },
  { weight: 1, arbitrary: does('silence', {}) },
  { weight: 4, arbitrary: does('move', { card }) },
  { weight: 7, arbitrary: record }
)
export type Step = typeof step extends fc.Arbitrary<infer One> ? One : never
export type PacketStep = Extract<Step, { do: 'packet' }>

/** The same session of the same SIM, reported anew. */
const interim = { kind: 'interim' as const, joins: false, ago: 0 }
const under = ({ gateway, nas, id }: PacketStep) => ({ gateway, nas, id })
const other = ({ gateway, nas, id }: PacketStep) => ({ gateway: 1 - gateway, nas, id })
/** What seldom comes by chance, with something of it left to that. */
const chain = fc.oneof(
  // A session believed closed goes on, or another SIM's does.
  fc.tuple(packet, restart, packet).map(([a, closing, b]): Step[] => [
    { ...a, ...interim },
    { ...closing, ...under(a), ago: 0 },
    { ...b, ...interim, ...under(a), goesOn: true },
  ]),
  // One goes on whose SIM has left its account.
  fc.tuple(packet, restart, packet).map(([a, closing, b]): Step[] => [
    { ...a, ...interim, another: null, by: 'imsi' },
    { ...closing, ...under(a), ago: 0 },
    { do: 'move', card: a.id },
    { ...b, ...interim, ...under(a), another: null, goesOn: true },
  ]),
  // One is cut, and goes on all the same.
  fc
    .tuple(service, packet, packet, confirm, packet)
    .map(([stopping, a, again, cut, b]): Step[] => [
      { ...stopping, card: a.id },
      { ...a, ...interim, another: null, by: 'imsi' },
      { ...again, ...interim, ...under(a), later: again.later % 20_000 },
      cut,
      { ...b, ...interim, ...under(a), goesOn: true, later: b.later + 60_000 },
    ]),
  // A feed counts while it is over; it goes on, or another one is found to have begun meanwhile.
  fc.tuple(packet, record, packet).map(([a, fed, b]): Step[] => [
    { ...a, ...interim, another: null, by: 'imsi', time: 300 },
    { ...fed, card: a.id, ago: fed.ago % 60_000, afterSilence: true },
    { ...b, ...interim, ...under(a), time: 240, later: b.later % 60_000 },
  ]),
  // Another feed counts.
  fc.tuple(record, record).map(([a, b]): Step[] => [
    { ...a, afterSilence: true },
    { ...b, card: a.card, feed: 1 - a.feed, again: false, afterSilence: false },
  ]),
  // Another gateway has one of the same names, of a SIM that uses the id here as well.
  fc.tuple(packet, packet, packet, card).map(([a, b, c, another]): Step[] => [
    { ...a, ...interim, by: 'imsi' },
    { ...b, ...interim, ...other(a), another, by: 'imsi' },
    { ...c, ...interim, ...under(a), another, by: 'imsi', kind: 'start', time: 0 },
  ]),
  // One is over, and another gateway reports it, or the next one of its id.
  fc.tuple(packet, restart, packet, packet, fc.boolean()).map(([a, closing, b, c, stops]): Step[] => [
    { ...a, ...interim, another: null, by: 'imsi', kind: stops ? 'stop' : 'interim' },
    { ...closing, ...under(a), ago: 0 },
    { ...b, ...interim, ...other(a), another: null, by: 'imsi' },
    { ...c, ...interim, ...other(a), another: null, by: 'imsi', kind: 'stop', goesOn: true },
  ])
)
export const steps = fc
  .array(fc.oneof({ weight: 8, arbitrary: step.map((one): Step[] => [one]) }, { weight: 2, arbitrary: chain }), {
    minLength: 4,
    maxLength: 20,
  })
  .map((all) => all.flat())

/** How many seconds before the history begins its gateways were added, and its SIMs registered. */
export const long = 100 * 86_400
export const given = fc.record({
  added: fc.tuple(fc.constant(long), rarely(long, 2, fc.nat(300))),
  registered: fc.array(rarely(long, 2, fc.nat(300)), { minLength: cards, maxLength: cards }),
})
export type Given = typeof given extends fc.Arbitrary<infer One> ? One : never
