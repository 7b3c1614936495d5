/// <reference types="node" />
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { leanContract } from './lean-contract.ts'

/** Puts the theme script before everything and asks for the fonts at once; both under their hashed names. */
const headTags = (): Plugin => ({
  name: 'masthead-head',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      if (!bundle) return [{ tag: 'script', attrs: { type: 'module', src: '/src/theme.ts' }, injectTo: 'head-prepend' }]
      const files = Object.values(bundle)
      const theme = files.find((file) => file.type === 'chunk' && file.name === 'theme')!
      const inter = files.find((file) => file.fileName.includes('inter-latin') && file.fileName.endsWith('.woff2'))!
      return [
        // The server leads to screens too, by the addresses that this build understands.
        ...(process.env.VITE_ROUTER === 'history'
          ? [{ tag: 'meta', attrs: { name: 'masthead-router', content: 'history' }, injectTo: 'head' as const }]
          : []),
        { tag: 'script', attrs: { src: `./${theme.fileName}` }, injectTo: 'head-prepend' },
        {
          tag: 'link',
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${inter.fileName}`, crossorigin: true },
          injectTo: 'head-prepend',
        },
      ]
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

/** Loaded with the first chart, map, slider or long table or form: what the start and many screens do without. Each is a chunk of its own. */
const rare = {
  plot: /node_modules\/uplot|src\/ui\/(ChartPlot|chart-(plot|ink))/,
  map: /node_modules\/leaflet|src\/ui\/(Map|map-|world|country-name)/,
  base: /node_modules\/(@base-ui|@floating-ui)|src\/ui\/(Accordion|Slider)/,
  schemas: /node_modules\/zod\//,
  windowed: /node_modules\/@tanstack\/(react-)?virtual|src\/ui\/(WindowedTable|StreamLog)/,
  pieces:
    /src\/ui\/(CardInfo|card-words|chart-picture|CopyButton|DateTimeField|Donut|donut-shape|FileDrop|file-drop|JsonView|json-rows|KeyValueEditor|key-value|LinkButton|pages|Pagination|RadioGroup|RunButton|Sheet|Sparkline|spark-shape|Stepper|table-csv|TagPicker|TextArea|use-selected)\./,
}
const later = new RegExp(
  Object.values(rare)
    .map(({ source }) => source)
    .join('|')
)
/** What stands on every screen, charts included: one chunk, since each chunk is a request. The bundler's own runtime is with it. */
const start =
  /rolldown\/runtime|node_modules\/(?!react-dom|dompurify|uqr)|packages\/contract\/src\/(?!\w+\/([\w-]+-operations|problems)|auth\/proof)|src\/(ui|api|shell|kit)\/(?!\w+Screen|Palette|palette-|KeyList|track-routes)|src\/usage\/(index|period|usage-words)|src\/activities\/(index|ActivitySentence)/
/** What lists and forms need beside. */
const work =
  /node_modules\/react-hook-form\/|src\/ui\/(Table|Select|OptionList|NumberField|FilterChip|Confirm|Modal|Checkbox|SearchField|Text|Field|Tag|Tabs|Date|calendar|Copy|copy|StatusDot|Crumbs|SelectionBar|LinkButton|Sheet|use-dialog)|src\/kit\/(Form|use-operation-form|schema-resolver|QueryTable|FilterButton|filters|ViewOptions|selection|ActionButton|use-table-address|Breadcrumbs|columns|steady-rows)|src\/shell\/PlainPage|src\/assets\/(RegisterAsset|use-asset-tags|SimActionDialog)|node_modules\/lucide-react\/dist\/esm\/icons\/(arrow-down-up|arrow-up-right|calendar|columns-3|copy|ellipsis|eye|history|list-filter|pencil|power|tag|undo)/

/** What the first screen is made of, found by following imports from it: what only later screens import stays out of the first load. */
const atStart = new Set<string>()
const findStart = (): Plugin => ({
  name: 'masthead-start',
  apply: 'build',
  buildEnd() {
    const follow = (id: string) => {
      if (atStart.has(id)) return
      atStart.add(id)
      const { importedIds = [], code } = this.getModuleInfo(id) ?? {}
      for (const next of importedIds) {
        if (!isIconIndex(next)) follow(next)
        // The index of the icons imports each there is: only those count that are named here.
        else for (const name of iconNames(code ?? '')) follow(iconFile(next, name, this.getModuleInfo(next)?.code ?? ''))
      }
    }
    for (const id of this.getModuleIds()) if (/src\/(main|gallery\/main|overview\/OverviewScreen)\.tsx$/.test(id)) follow(id)
  },
})
/** The bundler's runtime is imported by what it writes, not by what it reads. */
const isAtStart = (id: string) => atStart.has(id) || id.includes('rolldown/runtime')
const isIconIndex = (id: string) => id.endsWith('/lucide-react/dist/esm/lucide-react.mjs')
const iconNames = (code: string) =>
  [...code.matchAll(/import\s*\{([^}]*)\}\s*from\s*['"]lucide-react['"]/g)]
    .flatMap(([, names]) => names!.split(','))
    .map((name) => name.trim().split(' ')[0]!)
const iconFile = (index: string, name: string, code: string) =>
  index.replace('lucide-react.mjs', new RegExp(`default as ${name}\\b[^}]*\\} from ['"]\\./([^'"]+)`).exec(code)?.[1] ?? '')

// The gallery shows every piece of `ui/` and is no part of the product: `vite build --mode gallery`.
export default defineConfig(({ mode }) => ({
  // Files are named from where they stand, so that one build serves below any path: the server writes the page's own (console-files.ts).
  base: './',
  plugins: [react(), tailwindcss(), headTags(), findStart(), leanContract(), compressed()],
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
      input: { ...(mode === 'gallery' ? { gallery: 'gallery.html' } : { index: 'index.html' }), theme: 'src/theme.ts' },
      output: {
        // Few chunks, so that a first screen stays within 15 requests: see docs/decisions/0004-console-bundle.md.
        codeSplitting: {
          groups: [
            { name: 'console', test: (id) => start.test(id) && isAtStart(id) && !later.test(id) && !work.test(id), priority: 2 },
            ...Object.entries(rare)
              .filter(([name]) => name !== 'map')
              .map(([name, test]) => ({ name, test, priority: 1 })),
            { name: 'work', test: (id) => work.test(id) || (start.test(id) && !isAtStart(id) && !later.test(id)), priority: 1 },
          ],
        },
      },
    },
  },
}))
