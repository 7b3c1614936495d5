/// <reference types="node" />
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type HtmlTagDescriptor, type Plugin } from 'vite'
import { inlineRuntime } from './inline-runtime.ts'
import { isWhole, leanContract } from './lean-contract.ts'
import { screenFiles } from './screen-files.ts'

/** Says to the server in the page what the console was built with. */
const built = (name: string, content: string) => ({ tag: 'meta', attrs: { name: `masthead-${name}`, content }, injectTo: 'head' as const })

/** Refuses build settings that would only show in the browser. */
function checkSettings({ VITE_ROUTER: router = '', VITE_API_ROOT: root = '' }: NodeJS.ProcessEnv) {
  if (!['', 'hash', 'history'].includes(router)) throw new Error('VITE_ROUTER must be hash or history')
  if (!/^(https?:\/\/[^\s/?#"]+)?(\/[^\s?#"/]+)*$/.test(root))
    throw new Error('VITE_API_ROOT must be a path like /v1, or an address like https://api.example.com/v1, without a slash at its end')
}
checkSettings(process.env)

/** Puts the script that runs before the first paint before everything, with what it reads, and asks for the font at once; both under their hashed names. */
const headTags = (mode: string): Plugin => ({
  name: 'masthead-head',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      if (!bundle) return [{ tag: 'script', attrs: { type: 'module', src: '/src/before-paint.ts' }, injectTo: 'head-prepend' }]
      const files = Object.values(bundle)
      const first = files.find((file) => file.type === 'chunk' && file.name === 'before-paint')!
      const inter = files.find((file) => file.fileName.includes('inter-latin') && file.fileName.endsWith('.woff2'))!
      // The runtime is in another file by now: see inline-runtime.ts.
      const page = html.replaceAll(/ *<link rel="modulepreload"[^>]*\/rolldown-runtime-[^>]*>\n?/g, '')
      const tags: HtmlTagDescriptor[] = [
        // The server leads to screens too, by the addresses that this build understands, and its policy names the API that this build asks.
        ...(process.env.VITE_ROUTER === 'history' ? [built('router', 'history')] : []),
        ...(process.env.VITE_API_ROOT ? [built('api', process.env.VITE_API_ROOT)] : []),
        ...(mode === 'gallery'
          ? []
          : [
              {
                tag: 'meta',
                attrs: { name: 'masthead-screens', content: screenFiles(bundle, 'index') },
                injectTo: 'head-prepend' as const,
              },
            ]),
        { tag: 'script', attrs: { src: `./${first.fileName}` }, injectTo: 'head-prepend' },
        {
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${inter.fileName}`, crossorigin: true },
          injectTo: 'head-prepend',
        },
      ]
      return { html: page, tags }
    },
  },
})

/** Writes what can be compressed a second and a third time, so that the server only hands it out. */
const compressed = (): Plugin => ({
  name: 'masthead-compressed',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle)) {
        if (!/\.(js|css|svg)$/.test(file.fileName)) continue
        const source = Buffer.from(file.type === 'chunk' ? file.code : file.source)
        if (source.length < 1024) continue
        const brotli = brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.br`, source: brotli })
        this.emitFile({ type: 'asset', fileName: `${file.fileName}.gz`, source: gzipSync(source, { level: 9 }) })
      }
    },
  },
})

/** Loaded with the first chart, map, slider, long table or form: what the start and many screens do without. Each is a chunk of its own. */
const rare = {
  plot: /node_modules\/uplot|src\/ui\/(ChartPlot|chart-(plot|ink|picture))/,
  charts: /src\/ui\/(Chart\.|ChartParts|ChartPointer|chart-(scale|shape))/,
  map: /node_modules\/leaflet|src\/ui\/(Map|map-|world)/,
  base: /node_modules\/(@base-ui|@floating-ui)|src\/ui\/(Accordion|Slider)/,
  leave: /src\/kit\/LeaveQuestion/,
  xterm: /node_modules\/@xterm|src\/terminal\/xterm/,
  cards: /node_modules\/@stripe|src\/billing\/load-card-provider/,
  dates: /src\/ui\/(DateField|DateTimeField|calendar)/,
  options: /src\/(ui\/OptionList|kit\/FilterList)/,
  windowed: /node_modules\/@tanstack\/(react-)?virtual|src\/ui\/(WindowedTable|StreamLog)/,
  pieces:
    /src\/ui\/(CardInfo|card-words|Donut|donut-shape|FileDrop|file-drop|JsonView|json-rows|KeyValueEditor|key-value|pages|Pagination|RunButton|Sparkline|spark-shape|Stepper|table-csv|TagPicker|TextArea|use-selected)\./,
}
const later = new RegExp(
  Object.values(rare)
    .map(({ source }) => source)
    .join('|')
)
/** What may stand in a chunk that screens share; what is none of it is in the chunk of its screen. */
const shared =
  /rolldown\/runtime|node_modules\/(?!react-dom|dompurify|uqr)|packages\/contract\/src\/|src\/(ui|api|shell|kit|tags|bulk|assets)\/(?!\w+Screen|Palette|palette-|KeyList|track-routes)|src\/usage\/(index|period|usage-words)|src\/activities\/(index|ActivitySentence)|src\/backoffice\/(index|StayMark|stay)|src\/auth\/(?!\w+Screen)/

/** The screens that people begin with, and what each brings by itself a moment later. */
const firstScreens = {
  start: {
    screen: /src\/(main|gallery\/main|overview\/OverviewScreen)\.tsx$/,
    soon: /src\/(terminal\/support\/SupportRibbon|notifications\/CountCritical|overview\/(Places|Credits|Onboarding|strip\/Strip))\.tsx$/,
  },
  signIn: { screen: /src\/auth\/LoginScreen\.tsx$/, soon: null },
  assets: { screen: /src\/assets\/AssetsScreen\.tsx$/, soon: null },
  asset: { screen: /src\/assets\/AssetScreen\.tsx$/, soon: /src\/(assets\/past\/(LookBack|WhatIfPanel)\.tsx|corrections\/index\.ts)$/ },
  backoffice: { screen: /src\/backoffice\/HomeScreen\.tsx$/, soon: /src\/backoffice\/support\/LatestSupport\.tsx$/ },
}
type FirstScreen = keyof typeof firstScreens
const none = () =>
  Object.fromEntries(Object.keys(firstScreens).map((name) => [name, new Set<string>()])) as Record<FirstScreen, Set<string>>
/** What each is made of, found by following imports from it: what only later screens import stays out of the first load. */
const madeOf = none()
/** What that is made of. It would come with all that later screens share: what the start brings is with the start, what others bring is in a chunk of its own. */
const soonOf = none()
const findFirstScreens = (): Plugin => ({
  name: 'masthead-first-screens',
  apply: 'build',
  buildEnd() {
    const follow = (id: string, found: Set<string>) => {
      if (found.has(id)) return
      found.add(id)
      const { importedIds = [], code } = this.getModuleInfo(id) ?? {}
      for (const next of importedIds) {
        if (!isIconIndex(next)) follow(next, found)
        // The index of the icons imports each there is: only those count that are named here.
        else for (const icon of iconNames(code ?? '')) follow(iconFile(next, icon, this.getModuleInfo(next)?.code ?? ''), found)
      }
    }
    for (const [name, { screen, soon }] of Object.entries(firstScreens) as [FirstScreen, (typeof firstScreens)[FirstScreen]][])
      for (const id of this.getModuleIds()) {
        if (screen.test(id)) follow(id, madeOf[name])
        if (soon?.test(id)) follow(id, soonOf[name])
      }
    for (const found of Object.values(soonOf))
      for (const id of found) if (isSoon(id) || (found !== soonOf.start && isOfFirst(id))) found.delete(id)
  },
})
const isSoon = (id: string) => Object.values(firstScreens).some(({ soon }) => soon?.test(id))
/** The bundler's runtime is imported by what it writes, not by what it reads. */
const isAtStart = (id: string) => madeOf.start.has(id) || id.includes('rolldown/runtime')
const isAtSignIn = (id: string) => madeOf.signIn.has(id)
/** The first screens that are a chunk of their own: each has what it alone is made of, and `work` what several are made of. */
const parts = { list: madeOf.assets, asset: madeOf.asset, staff: madeOf.backoffice }
const partsOf = (id: string) => Object.values(parts).filter((screen) => screen.has(id))
const isPart = (id: string, screen: Set<string>) => screen.has(id) && partsOf(id).length === 1
const isAtWork = (id: string) => partsOf(id).length > 0
const isOfFirst = (id: string) => Object.values(madeOf).some((screen) => screen.has(id))
const isIconIndex = (id: string) => id.endsWith('/lucide-react/dist/esm/lucide-react.mjs')
const iconNames = (code: string) =>
  [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]lucide-react['"]/g)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().split(' ')[0]!)
const iconFile = (index: string, name: string, code: string) =>
  index.replace('lucide-react.mjs', new RegExp(`default as ${name}\\b[^}]*\\} from ['"]\\./([^'"]+)`).exec(code)?.[1] ?? '')

/** A chunk of shared modules. What is loaded with the first of its kind (`rare`) is in none of these. */
const group = (name: string, priority: number, test: (id: string) => boolean) => ({
  name,
  priority,
  test: (id: string) => (name === 'charts' || !later.test(id)) && shared.test(id) && test(id),
})

// The gallery shows every piece of `ui/` and is no part of the product: `vite build --mode gallery`.
export default defineConfig(({ mode }) => ({
  // Files are named from where they stand, so that one build serves below any path: the server writes the page's own (console-files.ts).
  base: './',
  plugins: [react(), tailwindcss(), headTags(mode), findFirstScreens(), leanContract(), inlineRuntime('console'), compressed()],
  server: { port: 5173, proxy: { '/v1': 'http://127.0.0.1:8080' } },
  build: {
    target: 'es2023',
    // Not `assets`: that is a screen.
    assetsDir: 'static',
    // One stylesheet for all screens: a request fewer on each.
    cssCodeSplit: false,
    // The content security policy has no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { ...(mode === 'gallery' ? { gallery: 'gallery.html' } : { index: 'index.html' }), 'before-paint': 'src/before-paint.ts' },
      output: {
        // Few chunks, so that a first screen stays within 15 requests: see docs/decisions/0004-console-bundle.md.
        codeSplitting: {
          groups: [
            // The bodies of operations, loaded with the first form.
            { name: 'rules', priority: 6, test: (id: string) => isWhole(id) || /node_modules\/zod/.test(id) },
            group('console', 5, (id) => isAtStart(id) || soonOf.start.has(id) || (isAtSignIn(id) && isAtWork(id))),
            group('charts', 4, (id) => rare.charts.test(id)),
            group('forms', 2, isAtSignIn),
            group('work', 2, (id) => partsOf(id).length > 1),
            // Before the rare ones, which would take what they need too: a first screen then loaded them for an icon.
            ...Object.entries(parts).map(([name, screen]) => ({ name, priority: 2, test: (id: string) => isPart(id, screen) })),
            group('asset-soon', 2, (id) => soonOf.asset.has(id)),
            group('staff-soon', 2, (id) => soonOf.backoffice.has(id)),
            ...Object.entries(rare)
              .filter(([name]) => name !== 'map' && name !== 'charts')
              .map(([name, test]) => ({ name, test, priority: 1 })),
            // What only later screens share.
            group('more', 0, (id) => !isOfFirst(id) && !/src\/(tags|bulk|assets)\//.test(id)),
          ],
        },
      },
    },
  },
}))
