import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { root } from './run.ts'
import { cutRing, packRing, type Point, type Ring } from './world-cut.ts'

// npm exec -c 'node tools/world-map.ts': writes the map that stands below markers where no tiles are configured.

type Topology = {
  transform: { scale: Point; translate: Point }
  arcs: Point[][]
  objects: {
    countries: { geometries: { id?: string; properties: { name: string }; type: string; arcs: number[][] | number[][][] }[] }
  }
}

// ISO 3166-1: the two letters and the number of each country that the atlas draws.
const codes =
  'AE784 AF004 AL008 AM051 AO024 AQ010 AR032 AT040 AU036 AZ031 BA070 BD050 BE056 BF854 BG100 BI108 BJ204 BN096 BO068 BR076 BS044 BT064 ' +
  'BW072 BY112 BZ084 CA124 CD180 CF140 CG178 CH756 CI384 CL152 CM120 CN156 CO170 CR188 CU192 CY196 CZ203 DE276 DJ262 DK208 DO214 DZ012 ' +
  'EC218 EE233 EG818 EH732 ER232 ES724 ET231 FI246 FJ242 FK238 FR250 GA266 GB826 GE268 GH288 GL304 GM270 GN324 GQ226 GR300 GT320 GW624 ' +
  'GY328 HN340 HR191 HT332 HU348 ID360 IE372 IL376 IN356 IQ368 IR364 IS352 IT380 JM388 JO400 JP392 KE404 KG417 KH116 KP408 KR410 KW414 ' +
  'KZ398 LA418 LB422 LK144 LR430 LS426 LT440 LU442 LV428 LY434 MA504 MD498 ME499 MG450 MK807 ML466 MM104 MN496 MR478 MW454 MX484 MY458 ' +
  'MZ508 NA516 NC540 NE562 NG566 NI558 NL528 NO578 NP524 NZ554 OM512 PA591 PE604 PG598 PH608 PK586 PL616 PR630 PS275 PT620 PY600 QA634 ' +
  'RO642 RS688 RU643 RW646 SA682 SB090 SD729 SE752 SI705 SK703 SL694 SN686 SO706 SR740 SS728 SV222 SY760 SZ748 TD148 TF260 TG768 TH764 ' +
  'TJ762 TL626 TM795 TN788 TR792 TT780 TW158 TZ834 UA804 UG800 US840 UY858 UZ860 VE862 VN704 VU548 YE887 ZA710 ZM894 ZW716'
const letters = new Map(codes.split(' ').map((code) => [code.slice(2), code.slice(0, 2)]))
// Without a number of its own.
const byName: Record<string, string> = { Kosovo: 'XK' }

/** Steps to a degree: a tenth is about 11 km, finer than the atlas itself. */
const scale = 10

const atlas = JSON.parse(readFileSync(createRequire(import.meta.url).resolve('world-atlas/countries-110m.json'), 'utf8')) as Topology

/** The points of an arc: the first where it is, the others on from there. */
const arcs: Ring[] = atlas.arcs.map((arc) => {
  const { scale: step, translate } = atlas.transform
  let [x, y] = [0, 0]
  return arc.map(([dx, dy]): Point => {
    ;[x, y] = [x + dx, y + dy]
    return [x * step[0] + translate[0], y * step[1] + translate[1]]
  })
})

/** Arcs end to end; one by its complement (~2) is walked backwards. */
const ringOf = (indexes: readonly number[]): Ring =>
  indexes.flatMap((index, at) => {
    const arc = index < 0 ? arcs[~index]!.toReversed() : arcs[index]!
    return at === 0 ? arc : arc.slice(1)
  })

const countries = atlas.objects.countries.geometries.map(({ id, properties: { name }, type, arcs: parts }) => {
  const polygons = (type === 'Polygon' ? [parts] : parts) as number[][][]
  const rings = polygons.flatMap((polygon) => polygon.flatMap((indexes) => cutRing(ringOf(indexes)).map((ring) => packRing(ring, scale))))
  return [letters.get(id ?? '') ?? byName[name] ?? '', rings.filter((ring) => ring.length > 0)] as const
})

const world = {
  about:
    'Made by tools/world-map.ts from world-atlas 2.0.2 (countries-110m, ISC), which redistributes Natural Earth 4.1.0 (public domain).',
  scale,
  countries: countries.filter(([, rings]) => rings.length > 0).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
}
writeFileSync(
  join(root, 'apps/console/src/ui/world.json'),
  `${JSON.stringify(world).replaceAll('],["', '],\n["').replace('"countries":[', '"countries":[\n')}\n`
)
console.log(`${world.countries.length} countries, ${world.countries.reduce((sum, [, rings]) => sum + rings.flat().length / 2, 0)} points`)
