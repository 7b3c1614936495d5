import { useMemo, useState } from 'react'
import { MapView, type Markers } from '../ui/MapView.tsx'
import { Panel } from '../ui/Panel.tsx'
import { bytes } from './chart-samples.ts'
import { Section } from './Specimen.tsx'

const markers: Markers = {
  'reefer-truck-0148': [51.92, 4.48],
  'kiosk-lyon-031': [45.76, 4.84],
  'meter-warsaw-2211': [52.23, 21.01],
  'cam-gantry-17': [50.11, 8.68],
  'port-antwerp-gw2': [51.26, 4.4],
  'depot-rotterdam-gw1': [51.95, 4.14],
  'buoy-kiel': [54.36, 10.15],
  'buoy-suva': [-18.14, 178.44],
  'cam-anadyr': [64.73, 177.5],
  'kiosk-santiago': [-33.45, -70.67],
  'meter-nairobi': [-1.29, 36.82],
  'kiosk-tokyo': [35.68, 139.69],
  'kiosk-tokyo-2': [35.68, 139.69],
  'never-seen': [null, null],
  'half-known': [12.5, undefined],
}
const usage = {
  NL: 18.2e9,
  DE: 14.1e9,
  FR: 9.3e9,
  PL: 4.8e9,
  SE: 2.2e9,
  US: 21.5e9,
  BR: 3.1e9,
  KE: 0.6e9,
  JP: 5.5e9,
  RU: 1.1e9,
  FJ: 0.2e9,
  AU: 0,
}

/** Tiles that differ by where they are, with no server: their own address draws them, in dashes, as letters differ from system to system. */
const square =
  '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><path fill="#e8efe4" stroke="#8fa58a" d="M0 0h256v256H0z"/><path stroke="#c9b98a" stroke-width="8" d="M0 90h256M170 0v256"/><path stroke="#3d4a3a" stroke-width="8" d="M16 40h48" stroke-dasharray="'
const tiles = {
  url: `data:image/svg+xml,${encodeURIComponent(square)}{z} {x} {y}${encodeURIComponent('"/></svg>')}`,
  attribution: '© The gallery <own tiles>',
}

export function MapPage() {
  const [selected, setSelected] = useState('')
  const many = useMemo<Markers>(
    () =>
      Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [`sim-${at}`, [46 + 9 * Math.sin(at * 12.9898), 10 + 22 * Math.sin(at * 78.233)]])
      ),
    []
  )
  return (
    <>
      <Section
        title="Markers"
        about="They cluster where they would stand on each other. One that is pressed is flown to in five seconds; without a place it is left out."
      >
        <Panel>
          <MapView label="Where they are" markers={markers} onSelect={setSelected} />
        </Panel>
        <output aria-label="Selected">{selected}</output>
      </Section>
      <Section title="Countries by a measure">
        <Panel>
          <MapView label="Data by country" values={usage} format={bytes} />
        </Panel>
      </Section>
      <Section
        title="Tiles of one’s own"
        about="Where an installation names a tile server. The countries of the built-in map then step back."
      >
        <Panel>
          <MapView label="Streets" markers={markers} tiles={tiles} height={240} />
        </Panel>
      </Section>
      <Section title="Three thousand">
        <Panel>
          <MapView label="All SIMs" markers={many} height={240} />
        </Panel>
      </Section>
    </>
  )
}
