import { Panel } from '../ui/Panel.tsx'

const Host = ({ children }: { children: string }) => <span className="mono wrap-anywhere">{children}</span>

/** What the network of the devices needs: the CORE agent calls names that are built into it. */
export const WhatToBring = () => (
  <Panel title="What your network must bring">
    <ul className="grid gap-2.5 text-fg-2">
      <li>
        The agent asks <Host>api.sixfab.com</Host>, port 443, to be enrolled. Have your DNS lead this name to the address of this console.
      </li>
      <li>
        It then connects to <Host>mqtt.connect.sixfab.com</Host>, port 8883. Have this name lead to the MQTT port of this installation, or
        set <Host>MQTT_HOST</Host> beside the token in its file.
      </li>
      <li>
        Both answer over TLS with a certificate for these names. Nobody can give you a public one, so make one of an authority of your own
        and install that on the device: in <Host>/usr/local/share/ca-certificates</Host>, then <Host>update-ca-certificates</Host>. Where
        Python brings a list of its own, set <Host>REQUESTS_CA_BUNDLE</Host>.
      </li>
      <li>The modem must have read the SIM: the agent sends its ICCID, and asks again every 10 seconds for an hour, then less often.</li>
    </ul>
  </Panel>
)
