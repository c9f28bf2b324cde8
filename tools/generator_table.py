"""The generators as a Markdown table, for docs/generators.md."""
import vaa

print("| generator | what it is | exact | within a band | unknown | confirmed by |\n|---|---|---|---|---|---|")
for line in vaa.generators():
    options = ", ".join(filter(None, (f"variants {line['variants'].replace('|', ', ')}" if line["variants"] else "", f"takes {line['takes']}" if line["takes"] else "")))
    print(f"| `{line['name']}` | {line['title']}{f' ({options})' if options else ''} | {line['exact']} | {line['band'] or '–'} | {line['unknown'] or '–'} | {line['confirmed'] or '–'} |")
