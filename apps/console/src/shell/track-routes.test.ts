import { beforeEach, expect, test, vi } from 'vitest'
import { trackRoutes } from './track-routes.ts'

type Pushed = { event: string; page_path?: string; page_title?: string; page_location?: string }
let dataLayer: Pushed[]
let scripts: { src: string; async: boolean }[]
let subscriber: (state: unknown) => void

const state = (pathname: string, path: string, over: object = {}) => ({
  initialized: true,
  navigation: { state: 'idle' },
  location: { pathname, search: '?search=ann@example.test' },
  matches: [{ route: { handle: { path, title: `Title of ${path}`, ...over } } }],
})
const track = (first: unknown) =>
  trackRoutes({ state: first, subscribe: (listen: typeof subscriber) => ((subscriber = listen), () => {}) } as never, {
    id: 'GTM-ABC1234',
    script: 'https://tags.test/gtm.js',
  })
const paths = () => dataLayer.filter(({ event }) => event === 'page_view').map(({ page_path }) => page_path)

beforeEach(() => {
  const win: { dataLayer?: Pushed[] } = {}
  scripts = []
  vi.stubGlobal('window', win)
  vi.stubGlobal('location', { origin: 'https://console.test' })
  vi.stubGlobal('document', { createElement: () => ({}), head: { append: (one: never) => scripts.push(one) } })
  dataLayer = win.dataLayer = []
})

test('each route is reported by its pattern, with nothing of what stands in its address', () => {
  track(state('/', '/'))
  subscriber(state('/assets/ast_1', '/assets/:assetID'))
  subscriber(state('/assets/ast_2', '/assets/:assetID'))
  subscriber(state('/masa/accounts/ann@example.test', '/masa/accounts/:email'))
  expect(paths()).toEqual(['/', '/assets/:assetID', '/assets/:assetID', '/masa/accounts/:email'])
  expect(JSON.stringify(dataLayer)).not.toMatch(/ann|ast_/)
  expect(dataLayer.at(-1)).toMatchObject({ page_location: 'https://console.test/masa/accounts/:email' })
})

test('neither a filter nor a route on its way is a view', () => {
  track({ ...state('/', '/'), initialized: false })
  expect(paths()).toEqual([])
  subscriber(state('/assets', '/assets'))
  subscriber({ ...state('/assets', '/assets'), location: { pathname: '/assets', search: '?page=2' } })
  subscriber({ ...state('/tags', '/tags'), navigation: { state: 'loading' } })
  expect(paths()).toEqual(['/assets'])
})

test('the script comes once, and not while a public screen is shown', () => {
  track(state('/login', '/login', { public: true }))
  expect([paths(), scripts]).toEqual([['/login'], []])
  subscriber(state('/', '/'))
  subscriber(state('/assets', '/assets'))
  expect(scripts).toEqual([{ async: true, src: 'https://tags.test/gtm.js?id=GTM-ABC1234' }])
  expect(dataLayer.filter(({ event }) => event === 'gtm.js')).toHaveLength(1)
})
