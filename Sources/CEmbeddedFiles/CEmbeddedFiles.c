#include "CEmbeddedFiles.h"

#include <stdlib.h>
#include <string.h>

// `#embed` is of C23; Clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each text ends with a zero.
static const struct {
    const char *name;
    const unsigned char *text;
} files[] = {
    {"experiments/apns-outage.yaml", (const unsigned char[]){
#embed "../../experiments/apns-outage.yaml"
    , 0}},
    {"experiments/bike-computer.yaml", (const unsigned char[]){
#embed "../../experiments/bike-computer.yaml"
    , 0}},
    {"experiments/booked-rides.yaml", (const unsigned char[]){
#embed "../../experiments/booked-rides.yaml"
    , 0}},
    {"experiments/content-endpoint.yaml", (const unsigned char[]){
#embed "../../experiments/content-endpoint.yaml"
    , 0}},
    {"experiments/eta-refresh.yaml", (const unsigned char[]){
#embed "../../experiments/eta-refresh.yaml"
    , 0}},
    {"experiments/fan-out-collapse.yaml", (const unsigned char[]){
#embed "../../experiments/fan-out-collapse.yaml"
    , 0}},
    {"experiments/food-delivery.yaml", (const unsigned char[]){
#embed "../../experiments/food-delivery.yaml"
    , 0}},
    {"experiments/four-midnights.yaml", (const unsigned char[]){
#embed "../../experiments/four-midnights.yaml"
    , 0}},
    {"experiments/go-taxi.yaml", (const unsigned char[]){
#embed "../../experiments/go-taxi.yaml"
    , 0}},
    {"experiments/live-evening.yaml", (const unsigned char[]){
#embed "../../experiments/live-evening.yaml"
    , 0}},
    {"experiments/live-outage.yaml", (const unsigned char[]){
#embed "../../experiments/live-outage.yaml"
    , 0}},
    {"experiments/live-trouble.yaml", (const unsigned char[]){
#embed "../../experiments/live-trouble.yaml"
    , 0}},
    {"experiments/lyft-nation-day.yaml", (const unsigned char[]){
#embed "../../experiments/lyft-nation-day.yaml"
    , 0}},
    {"experiments/metastable.yaml", (const unsigned char[]){
#embed "../../experiments/metastable.yaml"
    , 0}},
    {"experiments/morning-and-evening.yaml", (const unsigned char[]){
#embed "../../experiments/morning-and-evening.yaml"
    , 0}},
    {"experiments/netmera-upload.yaml", (const unsigned char[]){
#embed "../../experiments/netmera-upload.yaml"
    , 0}},
    {"experiments/new-years-eve.yaml", (const unsigned char[]){
#embed "../../experiments/new-years-eve.yaml"
    , 0}},
    {"experiments/nyc-lyft-day.yaml", (const unsigned char[]){
#embed "../../experiments/nyc-lyft-day.yaml"
    , 0}},
    {"experiments/release-gate.yaml", (const unsigned char[]){
#embed "../../experiments/release-gate.yaml"
    , 0}},
    {"experiments/retry-policies.yaml", (const unsigned char[]){
#embed "../../experiments/retry-policies.yaml"
    , 0}},
    {"experiments/sports-final.yaml", (const unsigned char[]){
#embed "../../experiments/sports-final.yaml"
    , 0}},
    {"experiments/tokens-or-channels.yaml", (const unsigned char[]){
#embed "../../experiments/tokens-or-channels.yaml"
    , 0}},
    {"experiments/trace-replay.yaml", (const unsigned char[]){
#embed "../../experiments/trace-replay.yaml"
    , 0}},
    {"experiments/traces/lyft-sample.csv", (const unsigned char[]){
#embed "../../experiments/traces/lyft-sample.csv"
    , 0}},
    {"experiments/tune-fresh-limit.yaml", (const unsigned char[]){
#embed "../../experiments/tune-fresh-limit.yaml"
    , 0}},
    {"experiments/two-arms.yaml", (const unsigned char[]){
#embed "../../experiments/two-arms.yaml"
    , 0}},
    {"experiments/what-freshness-costs.yaml", (const unsigned char[]){
#embed "../../experiments/what-freshness-costs.yaml"
    , 0}},
    {"experiments/what-matters.yaml", (const unsigned char[]){
#embed "../../experiments/what-matters.yaml"
    , 0}},
    {"experiments/workout.yaml", (const unsigned char[]){
#embed "../../experiments/workout.yaml"
    , 0}},
    {"parquet_requirements.txt", (const unsigned char[]){
#embed "../ExternalPrograms/parquet_requirements.txt"
    , 0}},
    {"read_parquet.py", (const unsigned char[]){
#embed "../InputFiles/Tables/read_parquet.py"
    , 0}},
    {"write_parquet.py", (const unsigned char[]){
#embed "../Reporting/Export/write_parquet.py"
    , 0}},
    {"render_charts.py", (const unsigned char[]){
#embed "../Reporting/Rendering/render_charts.py"
    , 0}},
    {"rendering_requirements.txt", (const unsigned char[]){
#embed "../Reporting/Rendering/rendering_requirements.txt"
    , 0}},
    {"charts.js", (const unsigned char[]){
#embed "../Reporting/HTML/Assets/charts.js"
    , 0}},
    {"brief.css", (const unsigned char[]){
#embed "../Reporting/HTML/Assets/brief.css"
    , 0}},
    {"page.css", (const unsigned char[]){
#embed "../Reporting/HTML/Assets/page.css"
    , 0}},
    {"age.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/age.vl.json"
    , 0}},
    {"areas.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/areas.vl.json"
    , 0}},
    {"backtest.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/backtest.vl.json"
    , 0}},
    {"capacity.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/capacity.vl.json"
    , 0}},
    {"cities.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/cities.vl.json"
    , 0}},
    {"differences.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/differences.vl.json"
    , 0}},
    {"freshness.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/freshness.vl.json"
    , 0}},
    {"funnel.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/funnel.vl.json"
    , 0}},
    {"glances.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/glances.vl.json"
    , 0}},
    {"heat-map.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/heat-map.vl.json"
    , 0}},
    {"load-lines.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/load-lines.vl.json"
    , 0}},
    {"load-outcomes.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/load-outcomes.vl.json"
    , 0}},
    {"load-overlay.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/load-overlay.vl.json"
    , 0}},
    {"main-effects.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/main-effects.vl.json"
    , 0}},
    {"overlay.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/overlay.vl.json"
    , 0}},
    {"pareto.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/pareto.vl.json"
    , 0}},
    {"parts.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/parts.json"
    , 0}},
    {"quantiles.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/quantiles.vl.json"
    , 0}},
    {"sensitivity.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/sensitivity.vl.json"
    , 0}},
    {"story.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/story.vl.json"
    , 0}},
    {"tune.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/tune.vl.json"
    , 0}},
    {"waterfall.vl.json", (const unsigned char[]){
#embed "../Reporting/Charts/Templates/waterfall.vl.json"
    , 0}},
};

const char *embedded_name(size_t position) {
    return position < sizeof files / sizeof *files ? files[position].name : NULL;
}

const unsigned char *embedded_text(const char *name) {
    for (size_t position = 0; position < sizeof files / sizeof *files; position++) {
        if (strcmp(files[position].name, name) == 0) return files[position].text;
    }
    abort();
}
