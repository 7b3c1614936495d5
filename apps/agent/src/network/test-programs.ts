import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { env } from 'node:process'

// Each keeps what it was sent as files, says what it was asked in `asked`, and fails with the words of the file `fails-…`.
const begin = `#!/bin/sh
PATH='${env.PATH}'
cd "$(dirname "$0")/../state" || exit 9
echo "\${0##*/} $*" >> asked
fail() { if [ -f "fails-$1" ]; then echo "Error: $(cat "fails-$1")" >&2; exit 10; fi; }
hang() { if [ -f "hangs-$1" ]; then echo $$ > hanging; exec sleep 60; fi; }
`
const nmcli = `${begin}
case "$*" in
  --version) echo "nmcli tool, version 1.42.4" ;;
  *"device show") cat devices ;;
  "-t -f TYPE,NAME connection show") cut -d: -f2- connections ;;
  *"connection show") cat connections ;;
  *"device wifi list --rescan "*) cat air ;;
  "connection delete id "*)
    fail delete; folder="$4"
    [ -d "$folder" ] || { echo "Error: unknown connection '$4'." >&2; exit 10; }
    rm -r "$folder"; grep -v ":$folder$" connections > c; mv c connections ;;
  "connection add type wifi con-name "*)
    folder="$6"; mkdir "$folder"; echo "$folder:802-11-wireless:$folder" >> connections
    printf %s "\${10}" > "$folder/802-11-wireless.ssid"; shift 11
    while [ $# -gt 0 ]; do printf %s "$2" > "$folder/$1"; shift 2; done ;;
  *"connection show uuid "*)
    for name in $(echo "$4" | tr , ' '); do echo "$name:$(cat "$8/$name" 2>/dev/null || echo --)"; done ;;
  "connection modify uuid "*)
    fail modify; hang modify; folder=$4; shift 4
    while [ $# -gt 0 ]; do printf %s "$2" > "$folder/$1"; shift 2; done
    hang modified ;;
  *"connection up "*) fail up; hang up ;;
  "device reapply "*) fail reapply ;;
  *) echo "Error: not understood: $*" >&2; exit 2 ;;
esac
`
const mmcli = `${begin}
case "$*" in
  "-L -J") cat modems ;;
  "-m "*) cat modem ;;
  *--pin=*)
    hang pin; [ "$*" = "-i /sim/0 --pin=1234" ] || { echo "error: couldn't send PIN code to the SIM: incorrect password" >&2; exit 1; }
    sed -i s/sim-pin\\"/sim-pin2\\"/ modem ;;
  *) exit 2 ;;
esac
`
const lpac = `${begin}
say() { echo "{\\"type\\":\\"lpa\\",\\"payload\\":{\\"code\\":$1,\\"message\\":\\"$2\\",\\"data\\":$3}}"; }
case "$*" in
  "chip info") say 0 success '{"eidValue":"89049032000001000000012345678901"}' ;;
  "profile list")
    say 0 success "[$(while read -r iccid state name; do printf '%s{"iccid":"%s","isdpAid":"A0","profileState":"%s","profileNickname":"%s","serviceProviderName":"Operator"}' "$comma" "$iccid" "$state" "$name"; comma=,; done < profiles)]" ;;
  "profile nickname "*) fail nickname; sed -i "s/^$3 .*/& $4/" profiles; say 0 success null ;;
  "profile enable "*) fail enable; hang enable; sed -i "s/ enabled/ disabled/; s/^$3 .*/$3 enabled/" profiles; say 0 success null ;;
  "profile delete "*) sed -i "/^$3 /d" profiles; say 0 success null ;;
  "profile download "*)
    hang download
    echo '{"type":"progress","payload":{"code":0,"message":"es10b_prepare_download","data":null}}'
    sleep 1.5
    case "$4" in *GOOD) echo "8931440400002815536 disabled" >> profiles; say 0 success null ;; *) say -1 es9p_authenticate_client '"Refused"'; exit 255 ;; esac ;;
  "notification process -a -r") hang notification; say 0 success null ;;
  *) say -1 unknown null; exit 2 ;;
esac
`
const modem = (lock: string, tries: number) => ({
  modem: {
    '3gpp': { imei: lock === 'sim-pin' ? '--' : '867698041170442', 'operator-code': '20408', 'operator-name': 'KPN' },
    generic: {
      'access-technologies': ['lte'],
      'equipment-identifier': '867698041170442',
      manufacturer: 'Quectel',
      model: 'EG25-G',
      revision: 'EG25GGBR07A08M2G',
      'signal-quality': { value: '67', recent: 'yes' },
      sim: '/sim/0',
      state: lock === 'sim-pin2' ? 'connected' : 'locked',
      'unlock-required': lock,
      'unlock-retries': [`sim-pin (${tries})`, 'sim-puk (10)'],
    },
  },
})

/** A network manager and a modem of the test, as programs that are found before those of the machine. */
export class TestPrograms {
  readonly folder = mkdtempSync(join(tmpdir(), 'programs-'))
  private state = join(this.folder, 'state')
  private path = env.PATH
  constructor() {
    mkdirSync(join(this.folder, 'bin'))
    mkdirSync(this.state)
    this.install('nmcli', nmcli).install('mmcli', mmcli).install('lpac', lpac)
    for (const uuid of ['u-eth', 'u-gsm']) mkdirSync(join(this.state, uuid))
    const device = (fields: string[]) =>
      ['DEVICE', 'TYPE', 'IP-IFACE', 'IP4-CONNECTIVITY', 'CONNECTION', 'CON-UUID']
        .map((name, i) => `GENERAL.${name}:${fields[i]}`)
        .join('\n')
    this.write(
      'devices',
      [
        device(['eth0', 'ethernet', 'eth0', '4 (full)', 'Wired connection 1', 'u-eth']),
        device(['wlan0', 'wifi', '', '1 (none)', '', '']),
        device(['cdc-wdm0', 'gsm', 'wwan0', '4 (full)', 'cellular', 'u-gsm']),
      ].join('\n\n')
    )
    this.write('connections', 'u-eth:802-3-ethernet:Wired connection 1\nu-gsm:gsm:cellular\nu-old:802-11-wireless:depot\n')
    this.set('u-eth', 'ipv4.route-metric', '-1').set('u-gsm', 'ipv4.route-metric', '700')
    this.set('u-gsm', 'gsm.apn', 'super').set('u-gsm', 'gsm.username', 'who').set('u-gsm', 'gsm.password', 'before')
    this.write(
      'air',
      '*:70:WPA2:depot\n :55:WPA2 WPA3:yard\\:1\n :40::guest\n :60:WPA2 802.1X:eduroam\n :30:WPA3:sae\n :20:WPA2:depot\n::WPA2:\n'
    )
    this.write('profiles', '8931082017004430677 enabled\n8931440400002815534 disabled\n')
    this.write('modems', JSON.stringify({ 'modem-list': ['/modem/0'] }))
    this.lock('sim-pin2')
    env.PATH = `${join(this.folder, 'bin')}${delimiter}${this.path}`
  }
  private install(name: string, script: string) {
    writeFileSync(join(this.folder, 'bin', name), script)
    chmodSync(join(this.folder, 'bin', name), 0o755)
    return this
  }
  uninstall(name: string) {
    rmSync(join(this.folder, 'bin', name))
    // This machine may have it.
    env.PATH = join(this.folder, 'bin')
  }
  private write = (name: string, text: string) => writeFileSync(join(this.state, name), text)
  set(uuid: string, name: string, value: string) {
    this.write(join(uuid, name), value)
    return this
  }
  get = (uuid: string, name: string) => readFileSync(join(this.state, uuid, name), 'utf8')
  lock = (lock: string, tries = 3) => this.write('modem', JSON.stringify(modem(lock, tries)))
  /** Undefined: it does as it is asked. */
  fail = (verb: string, words: string | undefined) =>
    words === undefined ? rmSync(join(this.state, `fails-${verb}`), { force: true }) : this.write(`fails-${verb}`, words)
  profiles = () => readFileSync(join(this.state, 'profiles'), 'utf8').trim().split('\n')
  has = (name: string) => existsSync(join(this.state, name))
  hang = (verb: string) => this.write(`hangs-${verb}`, '')
  hanging = () => existsSync(join(this.state, 'hanging')) && Number(readFileSync(join(this.state, 'hanging'), 'utf8'))
  /** No call hangs any more. */
  goOn(verb: string) {
    rmSync(join(this.state, `hangs-${verb}`), { force: true })
    const pid = this.hanging()
    if (pid) process.kill(pid, 'SIGKILL')
    rmSync(join(this.state, 'hanging'), { force: true })
  }
  times = (words: string) => this.asked().filter((line) => line.includes(words)).length
  /** What was asked of them that changes something. */
  asked = () =>
    readFileSync(join(this.state, 'asked'), 'utf8')
      .split('\n')
      .filter((line) => /modify|add type| delete | up |reapply|--pin|profile [ed]|notification/.test(line));
  [Symbol.dispose]() {
    env.PATH = this.path
    rmSync(this.folder, { recursive: true, force: true })
  }
}
