import { words } from '../support/words.js';

/** Addresses of each kind that is not public, in their plain forms. */
export const inner = {
  'loopback IPv4': ['127.0.0.1', '127.0.0.2', '127.1.2.3', '127.0.1.1', '127.255.255.254'],
  'unspecified IPv4': ['0.0.0.0', '0.0.0.1', '0.1.2.3', '0.255.255.255'],
  'private IPv4': words('10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.255.1'),
  'link-local IPv4': ['169.254.0.1', '169.254.1.1', '169.254.255.255'],
  'cloud metadata IPv4': words('169.254.169.254 169.254.170.2 100.100.100.200 192.0.0.192 168.63.129.16'),
  'carrier-grade NAT': ['100.64.0.1', '100.100.1.1', '100.127.255.255'],
  'multicast and broadcast IPv4': ['224.0.0.1', '239.255.255.250', '255.255.255.255'],
  'reserved IPv4': ['240.0.0.1', '250.1.2.3', '192.0.0.8', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
  'documentation IPv4': ['192.0.2.1', '198.51.100.7', '203.0.113.9'],
  'loopback IPv6': ['::1', '0:0:0:0:0:0:0:1', '0000:0000:0000:0000:0000:0000:0000:0001', '::0.0.0.1', '0::1'],
  'unspecified IPv6': ['::', '0::0', '0:0:0:0:0:0:0:0', '::0.0.0.0'],
  'IPv4-mapped IPv6': words(`
    ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:7f00:0001 0:0:0:0:0:ffff:127.0.0.1 ::ffff:169.254.169.254
    ::ffff:a9fe:a9fe ::ffff:10.0.0.1 ::ffff:0.0.0.0 ::FFFF:192.168.1.1 ::ffff:8.8.8.8`),
  'IPv4-translated IPv6': ['::ffff:0:127.0.0.1', '::ffff:0:7f00:1', '::ffff:0:10.0.0.1'],
  'IPv4-compatible IPv6': ['::127.0.0.1', '::7f00:1', '::169.254.169.254', '::10.0.0.1', '::192.168.0.1'],
  NAT64: words(`
    64:ff9b::127.0.0.1 64:ff9b::7f00:1 64:ff9b::a9fe:a9fe 64:ff9b:1::127.0.0.1 64:ff9b:1:ffff::1`),
  '6to4': ['2002:7f00:1::', '2002:7f00:0001::1', '2002:a00:1::1', '2002:a9fe:a9fe::', '2002:c0a8:101::1'],
  Teredo: [
    '2001::1',
    '2001:0:7f00:1::',
    '2001:0:53aa:64c::80ff:fffe',
    '2001:0000:4136:e378:8000:63bf:3fff:fdd2',
  ],
  ISATAP: ['2a00:1450::5efe:7f00:1', '2a00:1450::200:5efe:10.0.0.1', '2606:4700::5efe:127.0.0.1'],
  'unique local IPv6': ['fc00::1', 'fd00::1', 'fd12:3456:789a::1', 'fdff:ffff::1'],
  'cloud metadata IPv6': ['fd00:ec2::254', 'fd00:ec2::23', 'fd20:ce::254', 'fe80::a9fe:a9fe'],
  'link-local and site-local IPv6': ['fe80::1', 'fe80::5054:ff:fe12:3456', 'febf::1', 'fec0::1', 'feff::1'],
  'multicast IPv6': ['ff00::1', 'ff02::1', 'ff02::fb', 'ff05::1:3', 'ff0e::1'],
  'documentation IPv6': ['2001:db8::1', '2001:db8:ffff::1', '3fff::1', '3fff:fff::1'],
  'reserved IPv6': words(`
    100::1 200::1 400::1 2001:2::1 2001:10::1 2001:20::1 4000::1 5f00::1 8000::1`),
} satisfies Record<string, string[]>;

/** Other spellings of private hosts; each is put into `http://<host>:<port>/`. */
const disguisedHosts = {
  'decimal IPv4': ['2130706433', '2130706434', '2852039166', '167772161', '3232235777', '0'],
  'hexadecimal IPv4': words('0x7f000001 0X7F000001 0x7f.0x0.0x0.0x1 0xA9FEA9FE 0x0a000001 0x0 0x'),
  'octal IPv4': words(`
    0177.0.0.1 017700000001 0251.0376.0251.0376 012.0.0.1 0300.0250.1.1 0000000000177.0.0.1`),
  'short IPv4': ['127.1', '127.0.1', '10.1', '169.254.43518', '192.168.257', '127.65535'],
  'IPv4 of mixed radix': words('0x7f.1 127.0x1 0177.0.1 0xa9.0376.169.254 0x7f.0.0.01 172.0x10.0.1'),
  'IPv4 out of range': words('256.256.256.256 127.0.0.256 4294967297 0x17f000001 1.2.3.4.5 127.0.0.1.1'),
  'IPv4 with trailing dots': ['127.0.0.1.', '127.0.0.1..', '2130706433.', '10.0.0.1.', '0x7f.1.'],
  'names of this machine': words(`
    localhost LOCALHOST LocalHost foo.localhost a.b.c.localhost localhost.localdomain`),
  'names with trailing dots': words(`
    localhost. foo.localhost. localhost.. .localhost a..localhost metadata.google.internal.`),
  'names of the inner network': words(`
    metadata metadata.google.internal postgres kubernetes.default.svc printer.local router.lan
    1.0.0.127.in-addr.arpa intranet`),
  'IPv6 zone ids': ['[fe80::1%25eth0]', '[fe80::1%eth0]', '[::1%25lo]', '[::1%lo]', '[fe80::1%251]'],
  'malformed IPv6': words('[::1 ::1 [::1]. [::ffff:127.1] [::ffff:0x7f.0.0.1] [0:0:0:0:0:0:0:0:1] []'),
  'full-width and circled digits': words(
    '１２７.０.０.１ ①②⑦.⓪.⓪.① 127。0。0。1 127．0．0．1 127｡0｡0｡1 ０x7f.1 𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  ),
  'internationalized names': [
    'ｌｏｃａｌｈｏｓｔ',
    'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
    'local\u00adhost',
    'loc\u200balhost',
    'localhoſt',
    'ʟocalhost',
    'localhost。',
    '𝓁ocalhost',
  ],
  'percent-encoded hosts': words(`
    %31%32%37.0.0.1 127%2e0%2e0%2e1 %6c%6f%63alhost localhost%2e 127.0.0.1%00.example.com
    127.0.0.1%2f.example.com %30x7f.1`),
} satisfies Record<string, string[]>;

/** URLs that different parsers could read differently. */
const disguisedUrls = (port: number) => ({
  'credentials in front': [
    `http://public.example.com@127.0.0.1:${port}/`,
    `http://public.example.com:80@127.0.0.1:${port}/`,
    `http://user:password@public.example.com:${port}/`,
    `http://user@public.example.com:${port}/`,
    `http://:password@public.example.com:${port}/`,
    `http://public.example.com%40127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}@127.0.0.1:${port}/`,
  ],
  'slashes and backslashes': [
    `http:127.0.0.1:${port}/`,
    `http:/127.0.0.1:${port}/`,
    `http:///127.0.0.1:${port}/`,
    `http:\\\\127.0.0.1:${port}\\`,
    `http:/\\127.0.0.1:${port}/`,
    `http://127.0.0.1:${port}\\@public.example.com/`,
    `//127.0.0.1:${port}/`,
    `\\\\127.0.0.1:${port}\\`,
  ],
  'white space and control characters': [
    ` http://127.0.0.1:${port}/`,
    `ht\ntp://127.0.0.1:${port}/`,
    `http://127.0.\t0.1:${port}/`,
    `http://127.0.0.1\r\n:${port}/`,
    `http://127.0.0.1 :${port}/`,
    `http://127.0.0.1\0.example.com:${port}/`,
    `\u0000http://127.0.0.1:${port}/`,
  ],
  'fragments and queries': [
    `http://127.0.0.1:${port}#@public.example.com/`,
    `http://127.0.0.1:${port}?@public.example.com/`,
    `http://127.0.0.1:${port}/#http://public.example.com`,
    `http://127.0.0.1:${port}/?url=http://public.example.com`,
    `http://127.0.0.1:${port};public.example.com/`,
  ],
  'other protocols': [
    'file:///etc/passwd',
    `ftp://127.0.0.1:${port}/`,
    `gopher://127.0.0.1:${port}/_GET%20/`,
    `dict://127.0.0.1:${port}/info`,
    `ldap://127.0.0.1:${port}/`,
    `ws://127.0.0.1:${port}/`,
    `unix:/var/run/docker.sock`,
    'data:image/png;base64,iVBORw0KGgo=',
    `blob:http://127.0.0.1:${port}/1`,
    `jar:http://127.0.0.1:${port}!/`,
    `view-source:http://127.0.0.1:${port}/`,
    'javascript:fetch("/")',
  ],
  'ports of other services': [
    ...[21, 22, 23, 25, 53, 110, 143, 389, 445, 587, 636, 993].map(
      (each) => `http://public.example.com:${each}/`,
    ),
  ],
});

/** A trick: its kind, and the URL that a caller would send. */
export interface Trick {
  kind: string;
  url: string;
}

const hostOf = (address: string) => (address.includes(':') ? `[${address}]` : address);

/** All tricks that need only a URL, aimed at the server on the port. */
export function addressTricks(port: number): Trick[] {
  const of = (kinds: Record<string, string[]>, urlOf: (each: string) => string) =>
    Object.entries(kinds).flatMap(([kind, each]) => each.map((one) => ({ kind, url: urlOf(one) })));
  return [
    ...of(inner, (address) => `http://${hostOf(address)}:${port}/`),
    ...of(disguisedHosts, (host) => `http://${host}:${port}/`),
    ...of(disguisedUrls(port), (url) => url),
  ];
}
